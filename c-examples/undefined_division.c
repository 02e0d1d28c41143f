// expect: unknown
// reason: The divisor is 0 for a moment, and dividing by 0 has no defined meaning; every defined
//   quotient is at most 12.
// size: small
// optimised: -O2 sees that no quotient can exceed 12 and removes the division, which leaves a safe
//   program
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint divisor = 1;

static void *change(void *unused) {
    atomic_store(&divisor, 0);
    atomic_store(&divisor, 3);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, change, 0);
    unsigned quotient = 12 / atomic_load(&divisor);
    assert(quotient <= 12);
    pthread_join(t, 0);
    return 0;
}
