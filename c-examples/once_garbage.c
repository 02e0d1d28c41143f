// expect: unknown
// reason: The control was not initialised by PTHREAD_ONCE_INIT.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_once_t done = 7;
static int runs;

static void initialise(void) {
    runs++;
}

int main(void) {
    pthread_once(&done, initialise);
    assert(runs == 0);
}
