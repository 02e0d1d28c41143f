// expect: safe
// reason: main ends by pthread_exit, and joining it yields the value that it gave.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_t main_thread;

static void *worker(void *unused) {
    void *result;
    pthread_join(main_thread, &result);
    assert(result == (void *)5);
    return unused;
}

int main(void) {
    pthread_t t;
    main_thread = pthread_self();
    pthread_create(&t, 0, worker, 0);
    pthread_exit((void *)5);
}
