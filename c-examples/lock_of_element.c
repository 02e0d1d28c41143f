// expect: safe
// reason: Every account has its own mutex, and every thread that changes an account holds it, whichever account an input has picked.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct account {
    pthread_mutex_t lock;
    volatile int paid_in, balance;
};

static struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 0, 0}, {PTHREAD_MUTEX_INITIALIZER, 0, 0}};

static void *pay_in(void *argument) {
    struct account *account = argument;
    pthread_mutex_lock(&account->lock);
    account->paid_in++;
    account->balance++;
    assert(account->paid_in == account->balance);
    pthread_mutex_unlock(&account->lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, pay_in, &accounts[__VERIFIER_nondet_bool()]);
    pthread_create(&b, 0, pay_in, &accounts[__VERIFIER_nondet_bool()]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(accounts[0].balance + accounts[1].balance == 2);
    return 0;
}
