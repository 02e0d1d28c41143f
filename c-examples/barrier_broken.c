// expect: unsafe
// reason: One barrier separates writing from reading, but none separates reading from the next
//   round's writing.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t both_there;
static volatile int value[2];

static void run(int me) {
    for (int round = 1; round <= 2; round++) {
        value[me] = round;
        pthread_barrier_wait(&both_there);
        assert(value[1 - me] == round);
    }
}

static void *first(void *unused) {
    run(0);
    return unused;
}

static void *second(void *unused) {
    run(1);
    return unused;
}

int main(void) {
    pthread_barrier_init(&both_there, 0, 2);
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
