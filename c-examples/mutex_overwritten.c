// expect: safe
// reason: Main clears the mutex when no other thread uses it any more.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *use(void *unused) {
    pthread_mutex_lock(&mutex);
    value = 1;
    pthread_mutex_unlock(&mutex);
    pthread_exit(unused);
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, use, 0);
    pthread_join(a, 0);
    pthread_mutex_destroy(&mutex);
    memset(&mutex, 0, sizeof mutex);
    pthread_mutex_lock(&mutex);
    assert(value == 1);
    return 0;
}
