// expect: safe
// reason: A structure with a free lock is copied and its other members are read, which says nothing of what the lock holds.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

struct account {
    int before;
    pthread_mutex_t lock;
    int after;
};

static struct account account = {1, PTHREAD_MUTEX_INITIALIZER, 2}, copy;

static void *deposit(void *unused) {
    pthread_mutex_lock(&account.lock);
    account.before++;
    account.after++;
    pthread_mutex_unlock(&account.lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, deposit, 0);
    pthread_join(thread, 0);
    copy = account;
    assert(copy.before == 2 && copy.after == 3);
    return 0;
}
