// expect: unsafe
// reason: A negative number of threads is refused with an error number, which is not checked, and the number stays what it was.
// size: small
// optimised: same
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <pthread.h>

static void *hint(void *level) {
    pthread_setconcurrency(*(int *)level);
    return 0;
}

int main(void) {
    int level = -1;
    pthread_t thread;
    pthread_create(&thread, 0, hint, &level);
    pthread_join(thread, 0);
    assert(pthread_getconcurrency() == level);
    return 0;
}
