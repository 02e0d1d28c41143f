// expect: unsafe
// reason: Where the thread has unlocked the mutex, main does not wait for good.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int locked;

static void *lock(void *unused) {
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&mutex);
    if (__VERIFIER_nondet_bool())
        pthread_mutex_unlock(&mutex);
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, lock, 0);
    pthread_join(thread, 0);
    pthread_mutex_lock(&mutex);
    locked = 1;
    assert(!locked);
    return 0;
}
