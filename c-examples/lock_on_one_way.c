// expect: safe
// reason: Only the way with the mutex is ever taken, since the threads are ready when they start.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t *volatile picked;
static volatile int ready, left, right;

static void *work(void *unused) {
    pthread_mutex_t *mine = 0;
    if (ready) {
        mine = picked;
        pthread_mutex_lock(mine);
    } else {
        reach_error();
    }
    left++;
    right++;
    assert(left == right);
    pthread_mutex_unlock(mine);
    return unused;
}

int main(void) {
    pthread_mutex_t *lock = &locks[__VERIFIER_nondet_bool()];
    picked = lock;
    ready = 1;
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    picked = lock;
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
