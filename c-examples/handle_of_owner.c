// expect: safe
// reason: A thread finds its own handle as that of the owner of the lock only if it has the lock, because the owner is
//   forgotten when the lock is released.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Atomic pthread_t owner; // 0 if there is none
static int depth, inside;

static void enter(void) {
    if (owner != pthread_self()) {
        pthread_mutex_lock(&mutex);
        owner = pthread_self();
    }
    depth++;
}

static void leave(void) {
    if (--depth == 0) {
        owner = 0;
        pthread_mutex_unlock(&mutex);
    }
}

static void *work(void *unused) {
    enter();
    enter();
    assert(inside == 0);
    inside++;
    inside--;
    leave();
    leave();
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    pthread_create(&a, 0, work, 0);
    work(0);
    pthread_join(a, 0);
    return 0;
}
