// expect: unsafe
// reason: Sleeping may take longer than was asked for.
// size: large
// optimised: same
#include <assert.h>
#include <time.h>

int main(void) {
    struct timespec second = {1, 0};
    struct timespec before;
    struct timespec after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    nanosleep(&second, 0);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert(after.tv_sec <= before.tv_sec + 1);
    return 0;
}
