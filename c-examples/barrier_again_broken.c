// expect: unsafe
// reason: The barrier that was made anew lets one thread go by itself, which finds that the other one is not there.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t *shared;
static _Atomic int ready;

static void *arrive(void *unused) {
    pthread_barrier_t *barrier = shared;
    pthread_barrier_wait(barrier);
    pthread_barrier_destroy(barrier);
    pthread_barrier_init(barrier, 0, 1);
    pthread_barrier_wait(barrier);
    assert(ready == 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    static pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, 0, 2);
    shared = &barrier;
    pthread_create(&thread, 0, arrive, 0);
    pthread_barrier_wait(&barrier);
    ready = 1;
    pthread_join(thread, 0);
    return 0;
}
