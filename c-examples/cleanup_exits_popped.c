// expect: safe
// reason: A handler that is popped may end the thread, and is no longer pushed then.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static int runs;

static void leave(void *result) {
    runs++;
    pthread_exit(result);
}

static void *work(void *unused) {
    pthread_cleanup_push(leave, &runs);
    pthread_cleanup_pop(1);
    return unused;
}

int main(void) {
    pthread_t t;
    void *result;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, &result);
    assert(result == &runs && runs == 1);
    return 0;
}
