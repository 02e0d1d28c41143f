// expect: safe
// reason: The copy of the held lock is initialised before its first use, so it is a lock of its own.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account first, second;

static void *pay(void *account) {
    struct account *paid = account;
    pthread_mutex_lock(&paid->lock);
    paid->balance++;
    pthread_mutex_unlock(&paid->lock);
    return 0;
}

int main(void) {
    pthread_mutex_lock(&first.lock);
    first.balance = 5;
    second = first;
    pthread_mutex_unlock(&first.lock);
    pthread_mutex_init(&second.lock, 0);
    pthread_t t;
    pthread_create(&t, 0, pay, &second);
    pay(&second);
    pthread_join(t, 0);
    assert(second.balance == 7);
    return 0;
}
