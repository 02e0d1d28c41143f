// expect: unknown
// reason: The owner of the lock is not forgotten when the lock is released, so a thread that is created after the owner was
//   joined, and has got its handle, enters without the lock.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Atomic pthread_t owner; // the last one
static int depth, inside;

static void enter(void) {
    if (owner != pthread_self()) {
        pthread_mutex_lock(&mutex);
        owner = pthread_self();
    }
    depth++;
}

static void leave(void) {
    if (--depth == 0)
        pthread_mutex_unlock(&mutex);
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
