// expect: unsafe
// reason: The main thread reads without the mutex, between both writes.
// size: small
// optimised: same
#include <pthread.h>

extern void __VERIFIER_error(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

static void *work(void *unused) {
    pthread_mutex_lock(&m);
    first = 1;
    second = 1;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    if (first != second)
        __VERIFIER_error();
    pthread_join(t, 0);
    return 0;
}
