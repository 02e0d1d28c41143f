// expect: unknown
// reason: What the end of a thread in a routine of pthread_once means to the others is not modelled.
// size: small
// optimised: same
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void initialise(void) {
    pthread_testcancel();
}

static void *work(void *unused) {
    pthread_once(&once, initialise);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_cancel(t);
    pthread_once(&once, initialise);
    pthread_join(t, 0);
    return 0;
}
