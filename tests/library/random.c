// functions: rand rand_r random lrand48 srand srandom getpid time clock
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

int main(void)
{
    unsigned seed = 1;
    srand(1);
    ONE_OF(rand(), value >= 0);
    srand(1);
    UNKNOWN(rand());
    ONE_OF(rand_r(&seed), value >= 0);
    ONE_OF(seed >> 1, value >= 0);
    srandom(1);
    UNKNOWN(random());
    ONE_OF(lrand48(), value >= 0 && value <= RAND_MAX);
    ONE_OF(getpid(), value > 0);
    CHECK(getpid() == getpid());
    time_t kept = 0;
    time_t now = time(&kept);
    CHECK(now == kept);
    ONE_OF(time(0), value == value);
    UNKNOWN(clock());
    END;
}
