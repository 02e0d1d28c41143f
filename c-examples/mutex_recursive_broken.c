// expect: unsafe
// reason: The inner function releases the recursive mutex once too often, so the outer critical
//   section goes on without it.
// size: small
// optimised: same
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock;
static volatile int left, right;

static void add_left(void) {
    pthread_mutex_lock(&lock);
    left++;
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&lock);
}

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    assert(left == right);
    add_left();
    right++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &recursive);
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
