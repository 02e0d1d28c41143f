// expect: unsafe
// reason: The thread may take the lock of the account before it is initialised.
// options: --property no-lock-misuse
// size: small
// optimised: same
#include <pthread.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static void *deposit(void *argument) {
    struct account *account = argument;
    pthread_mutex_lock(&account->lock); // use of what was never initialised in `heap0#0`
    account->balance += 10;
    pthread_mutex_unlock(&account->lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct account *account = malloc(sizeof *account);
    if (!account)
        return 0;
    account->balance = 0;
    pthread_create(&thread, NULL, deposit, account);
    pthread_mutex_init(&account->lock, NULL);
    pthread_join(thread, NULL);
    free(account);
    return 0;
}
