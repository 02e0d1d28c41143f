// expect: safe
// reason: A thread that joins itself is told so and does not wait.
// size: small
// optimised: same
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *join_itself(void *unused) {
    assert(pthread_join(pthread_self(), 0) == EDEADLK);
    return unused;
}

int main(void) {
    pthread_t thread;
    assert(pthread_join(pthread_self(), 0) == EDEADLK);
    pthread_create(&thread, 0, join_itself, 0);
    assert(pthread_join(thread, 0) == 0);
    return 0;
}
