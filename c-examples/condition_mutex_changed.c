// expect: safe
// reason: Two threads wait for one condition variable with two mutexes, one after the other: no thread waits with the first any more.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *wait_first(void *unused) {
    pthread_mutex_lock(&first);
    while (!ready)
        pthread_cond_wait(&changed, &first);
    assert(ready == 1);
    pthread_mutex_unlock(&first);
    return unused;
}

static void *wait_second(void *unused) {
    pthread_mutex_lock(&second);
    while (ready < 2)
        pthread_cond_wait(&changed, &second);
    pthread_mutex_unlock(&second);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, wait_first, 0);
    pthread_mutex_lock(&first);
    ready = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&first);
    pthread_join(a, 0);
    pthread_create(&b, 0, wait_second, 0);
    pthread_mutex_lock(&second);
    ready = 2;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&second);
    pthread_join(b, 0);
}
