// expect: safe
// reason: One of the two threads was woken, and the other one says that it has timed out, so no thread waits any more.
// size: medium
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wanted;
static int waiting, woken, timed_out;

static void *await(void *argument) {
    struct timespec limit = {1, 0};
    pthread_mutex_lock(&lock);
    waiting++;
    if (pthread_cond_timedwait(&wanted, &lock, &limit))
        timed_out++;
    else
        woken++;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t first, second;
    pthread_cond_init(&wanted, 0);
    pthread_create(&first, 0, await, 0);
    pthread_create(&second, 0, await, 0);
    pthread_mutex_lock(&lock);
    if (waiting == 2 && timed_out + woken == 0) {
        pthread_cond_signal(&wanted);
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        if (timed_out == 1 && woken == 0)
            pthread_cond_destroy(&wanted);
    }
    pthread_mutex_unlock(&lock);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(waiting == 2);
    return 0;
}
