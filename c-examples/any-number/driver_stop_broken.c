// expect: unsafe
// reason: A request looks whether the driver is being stopped before it is counted.
// options: --threads any
// size: large
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);

static atomic_uint requests = 1;
static atomic_bool is_stopping, is_unused, is_stopped;

static void count_down(void) {
    if (atomic_fetch_sub(&requests, 1) == 1)
        is_unused = true;
}

static void *request(void *unused) {
    if (is_stopping)
        return unused;
    atomic_fetch_add(&requests, 1);
    assert(!is_stopped);
    count_down();
    return unused;
}

static void *stop(void *unused) {
    is_stopping = true;
    count_down();
    while (!is_unused) {
    }
    is_stopped = true;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, stop, NULL);
    while (__VERIFIER_nondet_bool())
        pthread_create(&thread, NULL, request, NULL);
    pthread_exit(NULL);
}
