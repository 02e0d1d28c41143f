// expect: unsafe
// reason: Each account is locked for itself only, so the sum can be taken while money is on its
//   way.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    volatile int balance;
};

static struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 10}, {PTHREAD_MUTEX_INITIALIZER, 10}};

static void add(int account, int amount) {
    pthread_mutex_lock(&accounts[account].lock);
    accounts[account].balance += amount;
    pthread_mutex_unlock(&accounts[account].lock);
}

static void *there(void *unused) {
    add(0, -3);
    add(1, 3);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, there, 0);
    pthread_mutex_lock(&accounts[0].lock);
    pthread_mutex_lock(&accounts[1].lock);
    assert(accounts[0].balance + accounts[1].balance == 20);
    pthread_mutex_unlock(&accounts[1].lock);
    pthread_mutex_unlock(&accounts[0].lock);
    pthread_join(t, 0);
    return 0;
}
