// expect: safe
// reason: Taking the object away is one step, so one thread alone frees it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic object;
static volatile int freed;

static void *release(void *argument) {
    int *mine = atomic_exchange(&object, 0);
    if (mine) {
        free(mine);
        freed = 1;
    }
    return argument;
}

int main(void) {
    atomic_store(&object, malloc(sizeof(int)));
    pthread_t t;
    pthread_create(&t, 0, release, 0);
    release(0);
    pthread_join(t, 0);
    assert(freed);
    return 0;
}
