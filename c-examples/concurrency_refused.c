// expect: safe
// reason: A negative number of threads is refused with an error number, and the number stays what it was.
// size: small
// optimised: same
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *hint(void *level) {
    assert(pthread_setconcurrency(*(int *)level) == EINVAL);
    return 0;
}

int main(void) {
    int level = -1;
    pthread_t thread;
    assert(pthread_setconcurrency(2) == 0);
    pthread_create(&thread, 0, hint, &level);
    pthread_join(thread, 0);
    assert(pthread_getconcurrency() == 2);
    return 0;
}
