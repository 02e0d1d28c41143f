// expect: safe
// reason: Only the number of the account is copied.
// options: --property no-lock-misuse
// size: small
// optimised: same
#include <pthread.h>
#include <stddef.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account account = {PTHREAD_MUTEX_INITIALIZER, 100};

static void *withdraw(void *argument) {
    pthread_mutex_lock(&account.lock);
    account.balance -= 10;
    pthread_mutex_unlock(&account.lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, withdraw, NULL);
    pthread_mutex_lock(&account.lock);
    int balance = account.balance;
    pthread_mutex_unlock(&account.lock);
    pthread_join(thread, NULL);
    return balance < 90;
}
