// expect: safe
// reason: The handler runs where the thread ends, and releases the lock.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int released;

static void release(void *mutex) {
    released++;
    pthread_mutex_unlock(mutex);
}

static void leave(void *result) {
    if (result)
        pthread_exit(result);
}

static void *work(void *argument) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(release, &lock);
    leave(argument);
    pthread_cleanup_pop(1);
    return argument;
}

int main(void) {
    pthread_t a, b;
    void *result;
    pthread_create(&a, 0, work, &lock);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, &result);
    assert(result == &lock);
    pthread_join(b, &result);
    assert(result == 0);
    assert(released == 2);
    return 0;
}
