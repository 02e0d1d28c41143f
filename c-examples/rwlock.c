// expect: safe
// reason: The writer holds the lock exclusively while the two halves differ, so no reader sees them
//   differ.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int left, right;

static void *write_both(void *unused) {
    for (int i = 0; i < 2; i++) {
        pthread_rwlock_wrlock(&lock);
        left++;
        right++;
        pthread_rwlock_unlock(&lock);
    }
    return unused;
}

static void *read_both(void *unused) {
    pthread_rwlock_rdlock(&lock);
    assert(left == right);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t w, r, s;
    pthread_create(&w, 0, write_both, 0);
    pthread_create(&r, 0, read_both, 0);
    pthread_create(&s, 0, read_both, 0);
    pthread_join(w, 0);
    pthread_join(r, 0);
    pthread_join(s, 0);
    assert(left == 2 && right == 2);
    return 0;
}
