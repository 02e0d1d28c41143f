// expect: unsafe
// reason: An invalid limit may be noticed even if the mutex can be taken at once.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    struct timespec limit = {0, 1000000000};
    assert(pthread_mutex_timedlock(&mutex, &limit) == 0);
}
