// expect: safe
// reason: pthread_once runs the initialiser in one thread, and the other one returns only after it
//   is complete.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_once_t done = PTHREAD_ONCE_INIT;
static int runs;
static int value;

static void initialise(void) {
    runs++;
    value = 7;
}

static void *work(void *unused) {
    pthread_once(&done, initialise);
    assert(value == 7);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(runs == 1);
    return 0;
}
