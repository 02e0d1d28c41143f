// expect: unsafe
// reason: The block with the mutex is lost. What the condition variable knows of those that have waited leads
//   nowhere.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct guard {
    pthread_mutex_t lock;
};

static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t fixed = PTHREAD_MUTEX_INITIALIZER;
static int is_set;

static void wait_with(pthread_mutex_t *lock) {
    pthread_mutex_lock(lock);
    is_set = 1;
    while (!is_set)
        pthread_cond_wait(&changed, lock);
    pthread_cond_signal(&changed);
    struct timespec now = {0, 0};
    pthread_cond_timedwait(&changed, lock, &now);
    pthread_mutex_unlock(lock);
}

int main(void) {
    struct guard *guard = malloc(sizeof *guard);
    pthread_mutex_init(&guard->lock, NULL);
    wait_with(&fixed);
    wait_with(&guard->lock);
    pthread_mutex_destroy(&guard->lock);
    guard = NULL;
    return 0; // memory leak
}
