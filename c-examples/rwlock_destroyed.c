// expect: safe
// reason: The lock is destroyed when its last reader has left, and made again.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int data;

static void *read_data(void *unused) {
    pthread_rwlock_rdlock(&lock);
    assert(data == 1);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_rwlock_wrlock(&lock);
    pthread_create(&a, 0, read_data, 0);
    data = 1;
    pthread_rwlock_unlock(&lock);
    pthread_join(a, 0);
    pthread_rwlock_destroy(&lock);
    pthread_rwlock_init(&lock, 0);
    assert(pthread_rwlock_trywrlock(&lock) == 0);
}
