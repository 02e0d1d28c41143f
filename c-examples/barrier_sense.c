// expect: safe
// reason: The last thread to arrive resets the count and flips the sense that the others wait for,
//   so the barrier can be used again at once. After a barrier, the other thread is at most one
//   round ahead and never behind.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int arrived;
static atomic_int sense;
static atomic_int round_of[2];

static void wait_for_other(int my_sense) {
    if (atomic_fetch_add(&arrived, 1) == 1) {
        atomic_store(&arrived, 0);
        atomic_store(&sense, my_sense);
    } else {
        while (atomic_load(&sense) != my_sense) {
        }
    }
}

static void run(int me) {
    int my_sense = 0;
    for (int round = 1; round <= 3; round++) {
        atomic_store(&round_of[me], round);
        my_sense = !my_sense;
        wait_for_other(my_sense);
        int other = atomic_load(&round_of[1 - me]);
        assert(other == round || other == round + 1);
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
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
