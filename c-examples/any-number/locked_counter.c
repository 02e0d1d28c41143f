// expect: safe
// reason: Who adds holds the lock, so nobody else adds between the load and the assertion.
// options: --threads any
// size: large
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned counter;

static void *add(void *unused) {
    bool in_a_hurry = __VERIFIER_nondet_bool();
    pthread_mutex_lock(&lock);
    unsigned before = counter;
    counter = before + 1;
    assert(counter == before + 1);
    pthread_mutex_unlock(&lock);
    if (in_a_hurry) {
        pthread_mutex_lock(&lock);
        counter++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, NULL, add, NULL);
    }
}
