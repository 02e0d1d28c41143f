// expect: safe
// reason: An errorcheck mutex reports a second lock by its owner (EDEADLK) and a release by another
//   thread (EPERM) instead of doing anything.
// size: small
// optimised: same
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int counter;

static void *work(void *unused) {
    int code = pthread_mutex_unlock(&lock);
    assert(code == EPERM);
    pthread_mutex_lock(&lock);
    code = pthread_mutex_lock(&lock);
    assert(code == EDEADLK);
    counter++;
    code = pthread_mutex_unlock(&lock);
    assert(code == 0);
    return unused;
}

int main(void) {
    pthread_mutexattr_t checking;
    pthread_mutexattr_init(&checking);
    pthread_mutexattr_settype(&checking, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &checking);
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
