// expect: safe
// reason: Main, whose handle is known, waits for the thread before it returns.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_t owner;

static void *count(void *counter) {
    assert(!pthread_equal(owner, pthread_self()));
    atomic_fetch_add((atomic_int *)counter, 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    atomic_int counter = 0;
    owner = pthread_self();
    pthread_create(&thread, 0, count, &counter);
    pthread_join(thread, 0);
    assert(atomic_load(&counter) == 1);
    return atomic_load(&counter) > 1;
}
