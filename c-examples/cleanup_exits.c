// expect: unknown
// reason: A handler that ends the thread, where it runs because the thread ends, is undefined.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static void leave(void *result) {
    pthread_exit(result);
}

static void *work(void *unused) {
    pthread_cleanup_push(leave, 0);
    pthread_exit(0);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
