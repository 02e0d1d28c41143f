// expect: safe
// reason: The mutex was initialised and is free when it is copied, and the model takes a copy of it for a free mutex.
// size: medium
// optimised: same
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t mutex;
    int balance;
};

static void deposit(struct account *account, int amount) {
    pthread_mutex_lock(&account->mutex);
    account->balance += amount;
    pthread_mutex_unlock(&account->mutex);
}

int main(void) {
    struct account own, copy;
    own.balance = 0;
    pthread_mutex_init(&own.mutex, 0);
    deposit(&own, 2);
    copy = own;
    deposit(&copy, 3);
    assert(own.balance == 2 && copy.balance == 5);
    return 0;
}
