// expect: unsafe
// reason: The second thread may follow the pointer before the first one has set it, which has no
//   defined meaning; where it is set, the assertion holds.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int value = 4;
static int *_Atomic pointer;

static void *publish(void *unused) {
    atomic_store(&pointer, &value);
    return unused;
}

static void *follow(void *unused) {
    assert(*atomic_load(&pointer) == 4); // null pointer
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, publish, 0);
    pthread_create(&b, 0, follow, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
