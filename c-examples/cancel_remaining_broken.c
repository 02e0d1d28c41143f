// expect: unknown
// reason: A thread that is cancelled while it sleeps may have been told how long it had still to sleep.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <time.h>

static struct timespec rest = {7, 7};

static void look(void *unused) {
    (void)unused;
    assert(rest.tv_sec == 7);
}

static void *work(void *unused) {
    struct timespec second = {1, 0};
    pthread_cleanup_push(look, 0);
    nanosleep(&second, &rest);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_cancel(t);
    pthread_join(t, 0);
    return 0;
}
