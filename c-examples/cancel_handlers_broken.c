// expect: unsafe
// reason: The handler that was pushed last runs first, not last.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int trace;

static void append(void *digit) {
    trace = 10 * trace + *(int *)digit;
}

static void *work(void *unused) {
    int one = 1, two = 2;
    pthread_cleanup_push(append, &one);
    pthread_cleanup_push(append, &two);
    for (;;)
        usleep(10);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t t;
    void *result;
    pthread_create(&t, 0, work, 0);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED && trace == 12);
    return 0;
}
