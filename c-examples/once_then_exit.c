// expect: safe
// reason: Threads may end by a call before and after the routine, which is run once.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_once_t done = PTHREAD_ONCE_INIT;
static int runs;

static void initialise(void) {
    runs++;
}

static void *work(void *unused) {
    pthread_once(&done, initialise);
    pthread_exit(unused);
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_once(&done, initialise);
    pthread_join(a, 0);
    assert(runs == 1);
    pthread_exit(0);
}
