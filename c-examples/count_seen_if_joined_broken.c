// expect: unsafe
// reason: Who does not join the other thread knows nothing of what it does.
// options: --property unreach-call
// size: small
// optimised: same
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int begun, count, step;

static void add(void) {
    __VERIFIER_atomic_begin();
    count++;
    __VERIFIER_atomic_end();
}

static void *begin(void *argument) {
    begun = 1;
    add();
    return argument;
}

static void *add_and_step(void *argument) {
    add();
    step = 3;
    return argument;
}

static void *create(void *argument) {
    int counted = 0;
    pthread_t t;
    pthread_create(&t, 0, begin, 0);
    step = 1;
    if (__VERIFIER_nondet_int()) {
        step = 2;
        pthread_join(t, 0);
        __VERIFIER_atomic_begin();
        counted = count;
        __VERIFIER_atomic_end();
    }
    __VERIFIER_atomic_begin();
    if (begun == 0 && counted == 0)
        reach_error();
    __VERIFIER_atomic_end();
    return argument;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, create, 0);
    pthread_create(&other, 0, add_and_step, 0);
    add();
}
