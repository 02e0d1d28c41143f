// expect: unsafe
// reason: The whole account is copied while its lock is held, and the lock of the copy is given back.
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
    struct account copy = account;
    int balance = copy.balance;
    pthread_mutex_unlock(&copy.lock); // use of a copy of a lock that was in use
    pthread_join(thread, NULL);
    return balance < 90;
}
