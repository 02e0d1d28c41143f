// expect: unknown
// reason: The divisor is 0 for a moment, and dividing by 0 has no defined meaning; every defined
//   quotient is at most 12.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint dividend = 12, divisor = 1;

static void *change(void *unused) {
    atomic_store(&divisor, 0);
    atomic_store(&divisor, 3);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, change, 0);
    unsigned quotient = atomic_load(&dividend) / atomic_load(&divisor);
    assert(quotient <= 12);
    pthread_join(t, 0);
    return 0;
}
