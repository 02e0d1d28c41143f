// expect: safe
// reason: When both threads were let go, one of them makes the barrier anew, which is right: the other one has left, or does so first.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t *shared;
static int ready;

static void *arrive(void *unused) {
    pthread_barrier_t *barrier = shared;
    pthread_barrier_wait(barrier);
    assert(ready == 1);
    pthread_barrier_destroy(barrier);
    pthread_barrier_init(barrier, 0, 1);
    assert(pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
    return unused;
}

int main(void) {
    pthread_t thread;
    static pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, 0, 2);
    shared = &barrier;
    pthread_create(&thread, 0, arrive, 0);
    ready = 1;
    pthread_barrier_wait(&barrier);
    pthread_join(thread, 0);
    return 0;
}
