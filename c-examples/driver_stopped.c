// expect: safe
// reason: A worker counts itself before it looks at the flag. So whoever sees it down is counted when the flag goes up, and
//   the last one to leave, which lets the device be stopped, comes after that worker.
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
    atomic_fetch_add(&users, 1);
    if (!stopping)
        return true;
    leave();
    return false;
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
