// expect: unsafe
// reason: Main ends by pthread_exit without joining, and the thread goes on to its violated
//   assertion.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile int main_is_done;

static void *work(void *unused) {
    assert(!main_is_done);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    main_is_done = 1;
    pthread_exit(0);
}
