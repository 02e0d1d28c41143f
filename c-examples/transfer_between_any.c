// expect: safe
// reason: Both accounts of a transfer are locked, the lower one first, whichever two of the three the inputs name.
// size: large
// optimised: same
#include <assert.h>
#include <pthread.h>

enum { ACCOUNTS = 3 };

unsigned __VERIFIER_nondet_uint(void);

static int balance[ACCOUNTS] = {10, 10, 10};
static pthread_mutex_t locks[ACCOUNTS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                          PTHREAD_MUTEX_INITIALIZER};

static void *transfer(void *unused) {
    unsigned from = __VERIFIER_nondet_uint() % ACCOUNTS, to = __VERIFIER_nondet_uint() % ACCOUNTS;
    (void)unused;
    if (from == to)
        return 0;
    unsigned first = from < to ? from : to, second = from < to ? to : from;
    pthread_mutex_lock(&locks[first]);
    pthread_mutex_lock(&locks[second]);
    balance[from] -= 3;
    balance[to] += 3;
    pthread_mutex_unlock(&locks[second]);
    pthread_mutex_unlock(&locks[first]);
    return 0;
}

int main(void) {
    pthread_t workers[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i], 0, transfer, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(workers[i], 0);
    assert(balance[0] + balance[1] + balance[2] == 30);
    return 0;
}
