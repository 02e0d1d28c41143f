// expect: safe
// reason: Each thread is joined by one other thread, so the worker's result is there when main looks.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_t worker;
static int result;

static void *work(void *unused) {
    result = 1;
    return unused;
}

static void *join_worker(void *unused) {
    pthread_join(worker, 0);
    return unused;
}

int main(void) {
    pthread_t other;
    pthread_create(&worker, 0, work, 0);
    pthread_create(&other, 0, join_worker, 0);
    pthread_join(other, 0);
    assert(result == 1);
    return 0;
}
