// expect: unsafe
// reason: The start routine is chosen by an input, and only one of the two choices keeps the
//   balance at or above 0.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

static int balance = 3;

static void *deposit(void *amount) {
    balance += *(int *)amount;
    return 0;
}

static void *withdraw(void *amount) {
    balance -= *(int *)amount;
    return 0;
}

int main(void) {
    static int amount = 5;
    void *(*routine)(void *) = __VERIFIER_nondet_bool() ? deposit : withdraw;
    pthread_t t;
    pthread_create(&t, 0, routine, &amount);
    pthread_join(t, 0);
    assert(balance >= 0);
    return 0;
}
