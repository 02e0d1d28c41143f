// expect: unsafe
// reason: Testing and setting are two steps, so both threads can find the lock free.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int held;
static volatile int counter;

static void *work(void *unused) {
    while (atomic_load(&held)) {
    }
    atomic_store(&held, 1);
    counter++;
    atomic_store(&held, 0);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
