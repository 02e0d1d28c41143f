// expect: unknown
// reason: Main destroys the lock although the reader may hold it, or take it afterwards.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int data;

static void *read_data(void *unused) {
    pthread_rwlock_rdlock(&lock);
    assert(data == 0);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, read_data, 0);
    pthread_rwlock_destroy(&lock);
    pthread_join(a, 0);
}
