// functions: close
#include <unistd.h>

#include "check.h"

int main(void)
{
    UNKNOWN(close(1));
    UNKNOWN(write(1, "a", 1));
    CHECK(close(-1));
    CHECK(errno);
    END;
}
