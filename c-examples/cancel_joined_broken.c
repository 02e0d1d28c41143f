// expect: unknown
// reason: The handle of a thread that was joined names no thread any more, and to cancel it is undefined.
// size: small
// optimised: same
#include <pthread.h>

static void *work(void *unused) {
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    pthread_cancel(t);
    return 0;
}
