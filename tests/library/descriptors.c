// functions: read write getrandom open
#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include "check.h"

int main(void)
{
    char bytes[4] = "abc";
    char *nothing = 0;
    ONE_OF(write(1, bytes, 3), value >= -1 && value <= 3);
    CHECK(write(-1, bytes, 3));
    CHECK(errno);
    CHECK(getrandom(bytes, 3, 0));
    ONE_OF(bytes[0], value >= -128 && value <= 127);
    CHECK(bytes[3]);
    CHECK(read(-1, bytes, 3));
    UNDEFINED(write(1, nothing, 1));
    UNDEFINED(write(1, bytes, 5));
    UNDEFINED(getrandom(nothing, 1, 0));
    UNDEFINED(getrandom(bytes, 5, 0));
    ONE_OF(open("/dev/null", O_RDONLY), value >= -1);
    ONE_OF(open("/dev/null", O_RDONLY) == open("/dev/null", O_RDONLY), value == 0 || value == 1);
    UNDEFINED(open(nothing, O_RDONLY));
    bytes[1] = 'x';
    ONE_OF(read(0, bytes, 1), value >= -1 && value <= 1);
    CHECK(bytes[1]);
    UNDEFINED(read(0, nothing, 1));
    END;
}
