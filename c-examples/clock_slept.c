// expect: safe
// reason: Who has slept for a second finds that a second has passed by CLOCK_MONOTONIC, or more.
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
    assert(after.tv_sec >= before.tv_sec + 1);
    return 0;
}
