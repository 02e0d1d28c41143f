// expect: safe
// reason: A ticket is drawn in one step, so that the later one of two is greater, and its thread waits.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);

static volatile int ticket1, ticket2, inside;

static void *first(void *unused) {
    __VERIFIER_atomic_begin();
    ticket1 = ticket2 + 1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(ticket2 == 0 || ticket1 <= ticket2);
    __VERIFIER_atomic_end();
    inside = 1;
    assert(inside == 1);
    ticket1 = 0;
    return unused;
}

static void *second(void *unused) {
    __VERIFIER_atomic_begin();
    ticket2 = ticket1 + 1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(ticket1 == 0 || ticket2 < ticket1);
    __VERIFIER_atomic_end();
    inside = 2;
    assert(inside == 2);
    ticket2 = 0;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
