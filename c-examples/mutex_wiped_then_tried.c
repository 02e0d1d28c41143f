// expect: unknown
// reason: The thread wipes the mutex that it holds and finds it free afterwards. Wiping it is undefined, so what comes behind is
//   no violation.
// size: small
// optimised: same
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&mutex);
    memset(&mutex, 0, sizeof mutex);
    assert(pthread_mutex_trylock(&mutex) == EBUSY);
}
