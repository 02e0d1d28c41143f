// expect: safe
// reason: The handler runs where it is popped, as no thread is cancelled, and releases the lock.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done, released;

static void release(void *mutex) {
    released++;
    pthread_mutex_unlock(mutex);
}

static void *work(void *argument) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(release, &lock);
    done++;
    pthread_cleanup_pop(1);
    return argument;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    assert(done == 2 && released == 2);
    return 0;
}
