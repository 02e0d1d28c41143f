// expect: unsafe
// reason: Each thread has a mutex picked for itself, and they need not be the same.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static volatile int left, right;

static void *work(void *picked) {
    pthread_mutex_lock(picked);
    left++;
    right++;
    assert(left == right);
    pthread_mutex_unlock(picked);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, &locks[__VERIFIER_nondet_bool()]);
    pthread_create(&b, 0, work, &locks[__VERIFIER_nondet_bool()]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
