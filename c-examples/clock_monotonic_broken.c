// expect: unsafe
// reason: The time of day may be set back between the two readings.
// size: large
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <time.h>

static struct timespec before;

static void *start(void *argument) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    assert(now.tv_sec > before.tv_sec || (now.tv_sec == before.tv_sec && now.tv_nsec >= before.tv_nsec));
    return argument;
}

int main(void) {
    pthread_t t;
    clock_gettime(CLOCK_REALTIME, &before);
    pthread_create(&t, 0, start, 0);
    pthread_join(t, 0);
    return 0;
}
