// expect: safe
// reason: An input picks one of two mutexes before the threads start, and all threads are given the one that was picked, so no
//   increment is lost.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif

extern _Bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int left, right;

static void *work(void *picked) {
    pthread_mutex_lock(picked);
    left++;
    right++;
    pthread_mutex_unlock(picked);
    return 0;
}

int main(void) {
    pthread_mutex_t *picked = &locks[__VERIFIER_nondet_bool()];
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, work, picked);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    assert(left == THREADS && right == THREADS);
    return 0;
}
