// expect: unknown
// reason: The condition variable is initialised while the other thread may wait for it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int go;

static void *wait_to_go(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!go)
        pthread_cond_wait(&changed, &mutex);
    assert(go == 1);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, wait_to_go, 0);
    pthread_cond_init(&changed, 0);
    pthread_mutex_lock(&mutex);
    go = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(a, 0);
    return 0;
}
