// expect: safe
// reason: Each thread sets its own bits of a shared byte with an atomic or, so none is lost.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uchar flags;

static void *set_low(void *unused) {
    atomic_fetch_or(&flags, 0x03);
    return unused;
}

static void *set_high(void *unused) {
    atomic_fetch_or(&flags, 0xc0);
    atomic_fetch_and(&flags, 0x7f);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, set_low, 0);
    pthread_create(&b, 0, set_high, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(atomic_load(&flags) == 0x43);
    return 0;
}
