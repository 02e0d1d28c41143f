// expect: unsafe
// reason: A thread that is in a hurry adds without the lock, and another one that holds it sees two
//   additions.
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
    if (in_a_hurry)
        counter++;
    return unused;
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, NULL, add, NULL);
    }
}
