// expect: safe
// reason: The sections between __VERIFIER_atomic_begin and _end are indivisible, so the sum never
//   changes.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static volatile int left = 4, right;

static void *move_one(void *unused) {
    for (int i = 0; i < 2; i++) {
        __VERIFIER_atomic_begin();
        left--;
        right++;
        __VERIFIER_atomic_end();
    }
    return unused;
}

static void *check(void *unused) {
    __VERIFIER_atomic_begin();
    int sum = left + right;
    __VERIFIER_atomic_end();
    assert(sum == 4);
    return unused;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, move_one, 0);
    pthread_create(&b, 0, move_one, 0);
    pthread_create(&c, 0, check, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(left == 0);
    return 0;
}
