// expect: unsafe
// reason: Two looks at the clock may find the same time.
// size: small
// optimised: same
#include <assert.h>
#include <stddef.h>
#include <sys/time.h>

int main(void) {
    struct timeval first, second;
    gettimeofday(&first, NULL);
    gettimeofday(&second, NULL);
    assert(second.tv_sec > first.tv_sec || second.tv_usec > first.tv_usec);
    return 0;
}
