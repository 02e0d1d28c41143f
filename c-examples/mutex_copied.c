// expect: safe
// reason: The structure is copied under its mutex, and the mutex in the copy is never used.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static struct account {
    pthread_mutex_t mutex;
    int balance, copies;
} own = {PTHREAD_MUTEX_INITIALIZER, 5, 5}, copy;

static void *pay(void *unused) {
    pthread_mutex_lock(&own.mutex);
    own.balance++;
    own.copies++;
    pthread_mutex_unlock(&own.mutex);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, pay, 0);
    pthread_mutex_lock(&own.mutex);
    copy = own;
    pthread_mutex_unlock(&own.mutex);
    assert(copy.balance == copy.copies);
    pthread_join(a, 0);
    return 0;
}
