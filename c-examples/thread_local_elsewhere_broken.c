// expect: unknown
// reason: Each thread has a variable of its own, defined in another file; it says nothing of who the other one is.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

extern _Thread_local int identity;
static int *owner;
static _Atomic int entered;

static void enter(void) {
    if (owner == &identity)
        entered = 1;
}

static void *try_to_enter(void *unused) {
    enter();
    return unused;
}

int main(void) {
    pthread_t thread;
    owner = &identity;
    pthread_create(&thread, 0, try_to_enter, 0);
    pthread_join(thread, 0);
    assert(entered == 1);
    return 0;
}
