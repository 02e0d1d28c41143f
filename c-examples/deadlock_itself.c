// expect: safe
// reason: The mutex is recursive, so its holder may take it again.
// options: --property no-deadlock
// size: small
// optimised: same
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int depth;

static void enter(int levels) {
    pthread_mutex_lock(&lock);
    depth++;
    if (levels > 1)
        enter(levels - 1);
    pthread_mutex_unlock(&lock);
}

int main(void) {
    enter(2);
    return depth;
}
