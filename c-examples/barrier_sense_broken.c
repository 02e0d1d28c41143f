// expect: unsafe
// reason: The threads wait for a full count that no thread resets, so from the second round on no
//   thread waits at all.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int arrived;
static atomic_int round_of[2];

static void run(int me) {
    for (int round = 1; round <= 2; round++) {
        atomic_store(&round_of[me], round);
        atomic_fetch_add(&arrived, 1);
        while (atomic_load(&arrived) < 2) {
        }
        assert(atomic_load(&round_of[1 - me]) >= round);
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
