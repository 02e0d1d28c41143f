// expect: safe
// reason: The exchange happens exactly if the new object is where the freed one was, and the slot holds its address then.
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
    char *fresh = malloc(48), *expected = fresh;
    if (atomic_compare_exchange_strong(&slot, &expected, 0))
        assert(slot == 0);
    else
        assert(expected != fresh);
    free(fresh);
    return 0;
}
