// expect: safe
// reason: A pointer fits into an `unsigned` and comes out of it as it was. In LP64 half of it is lost.
// options: --data-model=ILP32
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static int value;
static _Atomic unsigned mailbox;

static void *post(void *unused) {
    value = 3;
    atomic_store(&mailbox, (unsigned)(uintptr_t)&value);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, post, 0);
    unsigned received = atomic_load(&mailbox);
    if (received)
        assert(*(int *)(uintptr_t)received == 3);
    pthread_join(thread, 0);
    return 0;
}
