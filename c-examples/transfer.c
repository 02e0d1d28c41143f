// expect: safe
// reason: Both accounts are locked, lower number first, while money moves and while the sum is
//   taken.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 10}, {PTHREAD_MUTEX_INITIALIZER, 10}};

static void transfer(int from, int to, int amount) {
    pthread_mutex_lock(&accounts[0].lock);
    pthread_mutex_lock(&accounts[1].lock);
    accounts[from].balance -= amount;
    accounts[to].balance += amount;
    pthread_mutex_unlock(&accounts[1].lock);
    pthread_mutex_unlock(&accounts[0].lock);
}

static void *there(void *unused) {
    transfer(0, 1, 3);
    return unused;
}

static void *back(void *unused) {
    transfer(1, 0, 5);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, there, 0);
    pthread_create(&b, 0, back, 0);
    pthread_mutex_lock(&accounts[0].lock);
    pthread_mutex_lock(&accounts[1].lock);
    assert(accounts[0].balance + accounts[1].balance == 20);
    pthread_mutex_unlock(&accounts[1].lock);
    pthread_mutex_unlock(&accounts[0].lock);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(accounts[0].balance == 12);
    return 0;
}
