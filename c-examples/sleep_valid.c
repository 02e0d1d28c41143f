// expect: safe
// reason: Sleeping accepts a time whose nanoseconds are less than a second.
// size: small
// optimised: same
#include <assert.h>
#include <time.h>

int main(void) {
    struct timespec second = {1, 0};
    int result = nanosleep(&second, 0);
    assert(result == 0);
    return 0;
}
