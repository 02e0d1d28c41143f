// expect: safe
// reason: Exchange returns 0 to one thread only until the flag is cleared again; the threads
//   increment under the lock.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int held;
static int counter;

static void *work(void *unused) {
    for (int i = 0; i < 2; i++) {
        while (atomic_exchange(&held, 1)) {
        }
        counter++;
        atomic_store(&held, 0);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 4);
    return 0;
}
