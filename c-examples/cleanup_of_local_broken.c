// expect: unsafe
// reason: The variable of the function that ends the thread is dead when the handler of its caller runs.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile int *left;

static void change(void *unused) {
    (void)unused;
    ++*left; // use after scope
}

static void leave(void) {
    volatile int own = 3;
    left = &own;
    pthread_exit(0);
}

static void *work(void *unused) {
    pthread_cleanup_push(change, 0);
    leave();
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
