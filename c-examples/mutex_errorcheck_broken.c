// expect: unsafe
// reason: The second lock of an errorcheck mutex by its owner returns an error code, which the
//   thread takes for a sign that another thread holds the mutex.
// size: small
// optimised: same
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int held_by_other;

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    if (pthread_mutex_lock(&lock) != 0)
        held_by_other = 1;
    assert(!held_by_other);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_mutexattr_t checking;
    pthread_mutexattr_init(&checking);
    pthread_mutexattr_settype(&checking, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &checking);
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    return 0;
}
