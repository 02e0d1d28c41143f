// expect: safe
// reason: The index is an input between 2 and 5, and those elements are set.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static int chosen, elements[8] = {0, 0, 1, 1, 1, 1, 0, 0};

static void *choose(void *unused) {
    int index = __VERIFIER_nondet_int();
    (void)unused;
    if (index >= 2 && index < 6)
        chosen = elements[index];
    else
        chosen = 1;
    return 0;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, 0, choose, 0);
    pthread_join(worker, 0);
    assert(chosen == 1);
    return 0;
}
