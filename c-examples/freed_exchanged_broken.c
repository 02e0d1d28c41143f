// expect: unknown
// reason: The inside of a new object may have the number that a slot still holds of freed memory, so that the exchange happens.
// size: small
// optimised: no
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char *) slot;

static void *release(void *unused) {
    free(slot);
    return unused;
}

int main(void) {
    pthread_t thread;
    slot = malloc(32);
    pthread_create(&thread, 0, release, 0);
    pthread_join(thread, 0);
    char *fresh = malloc(48), *expected = fresh + 16;
    assert(!atomic_compare_exchange_strong(&slot, &expected, 0));
    free(fresh);
    return 0;
}
