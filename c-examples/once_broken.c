// expect: unsafe
// reason: The hand-made flag is tested and set in two steps, so both threads can run the
//   initialiser.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;
static atomic_int runs;

static void *work(void *unused) {
    if (!atomic_load(&done)) {
        atomic_store(&done, 1);
        atomic_fetch_add(&runs, 1);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(runs == 1);
    return 0;
}
