// expect: unsafe
// reason: One way of distributing gives both workers the same counter, and the other stays at 0.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

static volatile int x, y;
static volatile int *p, *q;

static void count_up(volatile int *counter) {
    while (*counter < 3)
        ++*counter;
}

static void *first(void *unused) {
    count_up(p);
    return unused;
}

static void *second(void *unused) {
    count_up(q);
    return unused;
}

int main(void) {
    p = &x;
    q = __VERIFIER_nondet_bool() ? &x : &y;
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x + y == 6);
    return 0;
}
