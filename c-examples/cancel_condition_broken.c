// expect: unsafe
// reason: A thread that is cancelled in its wait holds the mutex, and its handler does not unlock it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, waiting;

static void leave(void *unused) {
    (void)unused;
    waiting--;
}

static void *work(void *unused) {
    pthread_mutex_lock(&m);
    waiting++;
    pthread_cleanup_push(leave, 0);
    while (!ready)
        pthread_cond_wait(&c, &m);
    pthread_cleanup_pop(1);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_mutex_lock(&m);
    pthread_cancel(t);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    assert(waiting == 0);
    assert(pthread_mutex_trylock(&m) == 0);
    pthread_mutex_unlock(&m);
    return 0;
}
