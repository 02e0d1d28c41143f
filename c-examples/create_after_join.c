// expect: safe
// reason: The second thread is started after the first one was joined, so they never run at the
//   same time.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static int counter;

static void *work(void *unused) {
    counter++;
    return unused;
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        pthread_t t;
        pthread_create(&t, 0, work, 0);
        pthread_join(t, 0);
    }
    assert(counter == 3);
    return 0;
}
