// expect: unsafe
// reason: The holder of a mutex takes it again, and waits for itself.
// options: --property no-deadlock
// size: small
// optimised: same
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int depth;

static void enter(int levels) {
    pthread_mutex_lock(&lock); // deadlock
    depth++;
    if (levels > 1)
        enter(levels - 1);
    pthread_mutex_unlock(&lock);
}

int main(void) {
    enter(2);
    return depth;
}
