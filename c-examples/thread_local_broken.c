// expect: unsafe
// reason: The address of one thread's copy is published, and the other thread writes through it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Thread_local volatile int mine;
static volatile int *_Atomic published;

static void *publish(void *unused) {
    mine = 1;
    atomic_store(&published, &mine);
    assert(mine == 1);
    return unused;
}

static void *meddle(void *unused) {
    mine = 2;
    volatile int *theirs = atomic_load(&published);
    if (theirs)
        *theirs = 3;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, publish, 0);
    pthread_create(&b, 0, meddle, 0);
    pthread_join(b, 0);
    pthread_join(a, 0);
    return 0;
}
