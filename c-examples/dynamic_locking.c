// expect: safe
// reason: An input picks one of two mutexes before the threads start, and both threads use the one
//   that was picked.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t *picked;
static int left, right;

static void *work(void *unused) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(picked);
        left++;
        right++;
        assert(left == right);
        pthread_mutex_unlock(picked);
    }
    return unused;
}

int main(void) {
    picked = &locks[__VERIFIER_nondet_bool()];
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(left == 4);
    return 0;
}
