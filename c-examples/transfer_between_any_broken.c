// expect: unsafe
// reason: Only one of the two accounts is locked, and both transfers may change the other one at the same time.
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
    unsigned first = from < to ? from : to;
    pthread_mutex_lock(&locks[first]);
    balance[from] -= 3;
    balance[to] += 3;
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
