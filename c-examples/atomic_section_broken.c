// expect: unsafe
// reason: The reader is not in an atomic section, so a move can come between its two reads.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static volatile int left = 4, right;

static void *move_one(void *unused) {
    __VERIFIER_atomic_begin();
    left--;
    right++;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, move_one, 0);
    assert(left + right == 4);
    pthread_join(t, 0);
    return 0;
}
