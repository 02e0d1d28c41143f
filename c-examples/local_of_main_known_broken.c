// expect: unsafe
// reason: Main, whose handle is known, returns after it has looked at its variable, and the thread may write to that later.
// size: small
// optimised: no
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_t owner;

static void *count(void *counter) {
    assert(!pthread_equal(owner, pthread_self()));
    atomic_fetch_add((atomic_int *)counter, 1); // use after scope
    return 0;
}

int main(void) {
    pthread_t thread;
    atomic_int counter = 0;
    owner = pthread_self();
    pthread_create(&thread, 0, count, &counter);
    pthread_detach(thread);
    return atomic_load(&counter) > 1;
}
