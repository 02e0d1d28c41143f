// expect: safe
// reason: Another thread may cancel the main thread, which ends as by pthread_exit, and the process goes on.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int left;

static void note(void *unused) {
    (void)unused;
    left = 1;
}

static void *work(void *first) {
    void *result;
    pthread_cancel(*(pthread_t *)first);
    pthread_join(*(pthread_t *)first, &result);
    assert(left == 1 && result == PTHREAD_CANCELED);
    return 0;
}

static pthread_t first;

int main(void) {
    pthread_t t;
    first = pthread_self();
    pthread_create(&t, 0, work, &first);
    pthread_cleanup_push(note, 0);
    for (;;)
        usleep(10);
    pthread_cleanup_pop(0);
    return 0;
}
