// expect: safe
// reason: Each routine runs once, and the function that both are given to does not call itself.
// options: --recursion 1
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_once_t outer_control = PTHREAD_ONCE_INIT;
static pthread_once_t inner_control = PTHREAD_ONCE_INIT;
static int outer_count, inner_count;

static void run_once(pthread_once_t *control, void (*routine)(void)) {
    pthread_once(control, routine);
}

static void inner(void) {
    inner_count++;
}

static void outer(void) {
    run_once(&inner_control, inner);
    outer_count++;
}

int main(void) {
    run_once(&outer_control, outer);
    run_once(&inner_control, inner);
    assert(outer_count == 1);
    assert(inner_count == 1);
    return 0;
}
