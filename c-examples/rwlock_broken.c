// expect: unsafe
// reason: The writer takes the lock for reading only, so a reader can hold it at the same time.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static volatile int left, right;

static void *write_both(void *unused) {
    pthread_rwlock_rdlock(&lock);
    left++;
    right++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *read_both(void *unused) {
    pthread_rwlock_rdlock(&lock);
    assert(left == right);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t w, r;
    pthread_create(&w, 0, write_both, 0);
    pthread_create(&r, 0, read_both, 0);
    pthread_join(w, 0);
    pthread_join(r, 0);
    return 0;
}
