// expect: safe
// reason: The thread is not the owner, which has another variable.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static _Thread_local int identity;
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
    assert(entered == 0);
    return 0;
}
