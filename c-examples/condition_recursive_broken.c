// expect: unknown
// reason: The thread waits with a recursive mutex that it does not hold. Only a mutex that checks for errors says so; with others the
//   wait is undefined.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

int main(void) {
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &recursive);
    assert(pthread_cond_wait(&changed, &mutex) != 0);
    return 0;
}
