// expect: unsafe
// reason: The count is decremented and read in two steps, so both threads can see 0 and take
//   themselves for the last.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int references = 2;
static atomic_int released;

static void *use(void *unused) {
    atomic_fetch_sub(&references, 1);
    if (atomic_load(&references) == 0)
        atomic_fetch_add(&released, 1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, use, 0);
    pthread_create(&b, 0, use, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(atomic_load(&released) == 1);
    return 0;
}
