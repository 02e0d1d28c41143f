// expect: safe
// reason: A recursive mutex may be taken again by its owner and is free only after as many
//   releases.
// size: small
// optimised: same
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int left, right;

static void add_right(void) {
    pthread_mutex_lock(&lock);
    right++;
    pthread_mutex_unlock(&lock);
}

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    assert(left == right);
    left++;
    add_right();
    assert(left == right);
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
    assert(left == 2);
    return 0;
}
