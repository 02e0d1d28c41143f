// expect: unknown
// reason: The handler would run where the thread ends, which is not supported.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static int released;

static void release(void *argument) {
    (void)argument;
    released++;
}

static void *work(void *argument) {
    pthread_cleanup_push(release, 0);
    pthread_exit(argument);
    pthread_cleanup_pop(0);
    return argument;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(released == 1);
    return 0;
}
