// expect: unsafe
// reason: After a failed compare-and-swap the expected value holds the other thread's number and is
//   not reset to 0, so the next attempt takes the lock from its owner.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int owner;
static volatile int inside;

static void *work(void *number) {
    int me = *(int *)number;
    int expected = 0;
    while (!atomic_compare_exchange_strong(&owner, &expected, me)) {
    }
    inside = me;
    assert(inside == me);
    atomic_store(&owner, 0);
    return 0;
}

int main(void) {
    static int numbers[2] = {1, 2};
    pthread_t a, b;
    pthread_create(&a, 0, work, &numbers[0]);
    pthread_create(&b, 0, work, &numbers[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
