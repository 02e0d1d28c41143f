// expect: unknown
// reason: The program does not define the variable, so reading it may read through null; there is no value to be sure of.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

extern int limit __attribute__((weak));
static _Atomic int copy;

static void *read_limit(void *unused) {
    copy = limit;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, read_limit, 0);
    pthread_join(thread, 0);
    int first = copy;
    assert(first == copy);
    return 0;
}
