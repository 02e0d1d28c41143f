// expect: safe
// reason: The thread in which the wait returns PTHREAD_BARRIER_SERIAL_THREAD destroys and frees the
//   barrier as soon as the round is over: the destruction waits until the other thread has left it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t *both_there;
static int value;

static void meet(void) {
    if (pthread_barrier_wait(both_there)) {
        pthread_barrier_destroy(both_there);
        free(both_there);
    }
}

static void *work(void *unused) {
    value = 1;
    meet();
    return unused;
}

int main(void) {
    pthread_t a;
    both_there = malloc(sizeof *both_there);
    pthread_barrier_init(both_there, 0, 2);
    pthread_create(&a, 0, work, 0);
    meet();
    assert(value == 1);
    pthread_join(a, 0);
}
