// expect: safe
// reason: The variable of the function that has pushed the handler is alive while the handler runs.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static int result;

static void keep(void *value) {
    result = *(volatile int *)value;
}

static void leave(volatile int *value) {
    *value = 3;
    pthread_exit(0);
}

static void *work(void *unused) {
    volatile int own = 0;
    pthread_cleanup_push(keep, (void *)&own);
    leave(&own);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(result == 3);
    return 0;
}
