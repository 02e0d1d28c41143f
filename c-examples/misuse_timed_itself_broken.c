// expect: unsafe
// reason: A thread that holds the mutex waits for it for ever.
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
    int error = pthread_mutex_lock(&lock); // lock of a mutex that the thread holds
    pthread_mutex_unlock(&lock);
    return error == 0;
}
