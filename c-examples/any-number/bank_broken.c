// expect: unsafe
// reason: A transfer lets go of the lock between the two accounts.
// options: --threads any
// size: large
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define TOTAL 100

extern bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned from = TOTAL, to;

static void *transfer(void *unused) {
    unsigned amount = __VERIFIER_nondet_uint();
    pthread_mutex_lock(&lock);
    if (amount <= from) {
        from -= amount;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        to += amount;
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *audit(void *unused) {
    pthread_mutex_lock(&lock);
    assert(from + to == TOTAL);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    for (;;) {
        pthread_t thread;
        if (__VERIFIER_nondet_bool())
            pthread_create(&thread, NULL, transfer, NULL);
        else
            pthread_create(&thread, NULL, audit, NULL);
    }
}
