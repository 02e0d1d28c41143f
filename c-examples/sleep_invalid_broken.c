// expect: unsafe
// reason: Sleeping refuses a time whose nanoseconds are a second or more.
// size: small
// optimised: same
#include <assert.h>
#include <time.h>

int main(void) {
    struct timespec second = {0, 1000000000};
    int result = nanosleep(&second, 0);
    assert(result == 0);
    return 0;
}
