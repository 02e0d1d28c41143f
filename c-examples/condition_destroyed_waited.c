// expect: unknown
// reason: The condition variable is destroyed while a thread waits there that has not been woken.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t *changed;
static int waiting, go;

static void *wait_to_go(void *unused) {
    pthread_mutex_lock(&mutex);
    waiting = 1;
    while (!go)
        pthread_cond_wait(changed, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t a;
    changed = malloc(sizeof *changed);
    pthread_cond_init(changed, 0);
    pthread_create(&a, 0, wait_to_go, 0);
    pthread_mutex_lock(&mutex);
    if (waiting) {
        go = 1;
        assert(pthread_cond_destroy(changed) == 0);
        free(changed);
    }
    pthread_mutex_unlock(&mutex);
}
