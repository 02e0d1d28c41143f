// expect: safe
// reason: The condition variable is made for limits by CLOCK_MONOTONIC. A wait that times out ends when that clock shows the
//   limit, and the clock never goes back.
// size: large
// optimised: same
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition;

int main(void) {
    pthread_condattr_t attributes;
    struct timespec limit;
    struct timespec now;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&condition, &attributes);
    clock_gettime(CLOCK_MONOTONIC, &limit);
    limit.tv_sec += 5;
    pthread_mutex_lock(&mutex);
    int error = pthread_cond_timedwait(&condition, &mutex, &limit);
    pthread_mutex_unlock(&mutex);
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(error != ETIMEDOUT || now.tv_sec >= limit.tv_sec);
    return 0;
}
