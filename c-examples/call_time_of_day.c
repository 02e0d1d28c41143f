// expect: safe
// reason: The microseconds are less than a second.
// size: small
// optimised: same
#include <assert.h>
#include <stddef.h>
#include <sys/time.h>

int main(void) {
    struct timeval first, second;
    gettimeofday(&first, NULL);
    gettimeofday(&second, NULL);
    assert(first.tv_usec >= 0 && first.tv_usec < 1000000);
    return 0;
}
