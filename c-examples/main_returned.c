// expect: safe
// reason: main returns, which ends the process; a join with main never returns.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_t main_thread;

static void *worker(void *unused) {
    pthread_join(main_thread, 0);
    assert(0);
    return unused;
}

int main(void) {
    pthread_t t;
    main_thread = pthread_self();
    pthread_create(&t, 0, worker, 0);
    return 0;
}
