// expect: safe
// reason: The threads detach themselves, and no thread joins them.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void *work(void *unused) {
    assert(pthread_detach(pthread_self()) == 0);
    done++;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_create(&thread, 0, work, 0);
    assert(done <= 2);
    return 0;
}
