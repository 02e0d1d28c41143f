// expect: safe
// reason: The number is too large for a `long` of 32 bits, so `strtol` gives the largest one and says ERANGE. In LP64 it fits.
// options: --data-model=ILP32
// size: small
// optimised: same
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

int main(void) {
    errno = 0;
    long number = strtol("4294967295", 0, 10);
    assert(number == LONG_MAX && errno == ERANGE);
    assert(strtoull("4294967295", 0, 10) == 4294967295);
    return 0;
}
