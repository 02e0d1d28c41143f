// expect: unsafe
// reason: A worker looks at the flag before it counts itself. Between these the device may be stopped, since nobody is
//   counted, and the worker goes on.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool stopping, idle, stopped;
static atomic_int users = 1; // the device itself is one

static void leave(void) {
    if (atomic_fetch_sub(&users, 1) == 1)
        idle = true;
}

static bool enter(void) {
    if (stopping)
        return false;
    atomic_fetch_add(&users, 1);
    return true;
}

static void *work(void *unused) {
    if (enter()) {
        assert(!stopped);
        leave();
    }
    return unused;
}

static void *stop(void *unused) {
    stopping = true;
    leave();
    while (!idle) {
    }
    stopped = true;
    return unused;
}

int main(void) {
    pthread_t first, second, stopper;
    pthread_create(&first, 0, work, 0);
    pthread_create(&second, 0, work, 0);
    pthread_create(&stopper, 0, stop, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    pthread_join(stopper, 0);
    assert(stopped);
    return 0;
}
