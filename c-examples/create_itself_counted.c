// expect: unsafe
// reason: Each thread starts the next one, and the third one finds that two have counted before it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile int count;

static void *worker(void *unused) {
    assert(count < 2);
    count = count + 1;
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    return 0;
}
