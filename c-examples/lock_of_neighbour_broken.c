// expect: unsafe
// reason: The second thread holds the mutex of the other account than the one it changes.
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

static void pay_in(struct account *account, pthread_mutex_t *lock) {
    pthread_mutex_lock(lock);
    account->paid_in++;
    account->balance++;
    assert(account->paid_in == account->balance);
    pthread_mutex_unlock(lock);
}

static void *rightly(void *account) {
    pay_in(account, &((struct account *)account)->lock);
    return 0;
}

static void *wrongly(void *account) {
    pay_in(account, &accounts[account == &accounts[0]].lock);
    return 0;
}

int main(void) {
    struct account *picked = &accounts[__VERIFIER_nondet_bool()];
    pthread_t a, b;
    pthread_create(&a, 0, rightly, picked);
    pthread_create(&b, 0, wrongly, picked);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
