// expect: safe
// reason: Main uses the thread's own variable while the thread waits for that.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Thread_local int own;
static _Atomic(int *) left;
static atomic_int used;

static void *leave(void *unused) {
    left = &own;
    while (!used)
        ;
    assert(own == 2);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, leave, 0);
    while (!left)
        ;
    *left = 2;
    used = 1;
    pthread_join(thread, 0);
    return 0;
}
