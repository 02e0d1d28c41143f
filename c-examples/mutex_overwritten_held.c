// expect: unknown
// reason: Main clears the mutex that the other thread has left locked.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *hold(void *unused) {
    pthread_mutex_lock(&mutex);
    value = 1;
    pthread_exit(unused);
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, hold, 0);
    pthread_join(a, 0);
    memset(&mutex, 0, sizeof mutex);
    pthread_mutex_lock(&mutex);
    assert(value == 1);
    return 0;
}
