// expect: safe
// reason: As load_balancing.c, but the workers count to 40: the counters are reached through
//   pointers that do not change any more, so the threads commute.
// size: medium
// optimised: same
#include <assert.h>
#include <pthread.h>

#ifndef LIMIT
#define LIMIT 40
#endif

extern _Bool __VERIFIER_nondet_bool(void);

static int x, y;
static int *p, *q;

static void count_up(int *counter) {
    while (*counter < LIMIT)
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
    if (__VERIFIER_nondet_bool()) {
        p = &x;
        q = &y;
    } else {
        p = &y;
        q = &x;
    }
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x + y == 2 * LIMIT);
    return 0;
}
