// expect: safe
// reason: A thread that holds the mutex waits for it until its time is over.
// options: --property no-lock-misuse
// size: small
// optimised: same
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 1;
    pthread_mutex_lock(&lock);
    int error = pthread_mutex_timedlock(&lock, &limit);
    pthread_mutex_unlock(&lock);
    return error == 0;
}
