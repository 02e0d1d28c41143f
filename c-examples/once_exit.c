// expect: unknown
// reason: The thread ends in the routine, and POSIX does not say whether the routine is then run
//   again.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_once_t done = PTHREAD_ONCE_INIT;
static int runs;

static void initialise(void) {
    if (runs++ == 0)
        pthread_exit(0);
}

static void *work(void *unused) {
    pthread_once(&done, initialise);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    pthread_once(&done, initialise);
    assert(runs == 1);
}
