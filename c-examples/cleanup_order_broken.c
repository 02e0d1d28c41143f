// expect: unsafe
// reason: The handler that was pushed first runs last.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static int digits;

static void append(void *digit) {
    digits = 10 * digits + *(int *)digit;
}

static int numbers[] = {1, 2};

static void *work(void *unused) {
    pthread_cleanup_push(append, &numbers[0]);
    pthread_cleanup_push(append, &numbers[1]);
    pthread_exit(0);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(digits == 12);
    return 0;
}
