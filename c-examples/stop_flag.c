// expect: safe
// reason: The worker runs until main asks it to stop; its value stays within 0 to 7 all the time.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_bool stop;
static atomic_uint value;

static void *work(void *unused) {
    while (!atomic_load(&stop))
        atomic_store(&value, (atomic_load(&value) + 3) % 8);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    assert(atomic_load(&value) < 8);
    atomic_store(&stop, 1);
    pthread_join(t, 0);
    unsigned last = atomic_load(&value);
    assert(last < 8);
    assert(atomic_load(&value) == last);
    return 0;
}
