// expect: unknown
// reason: The thread takes the locks of two counters and relies on their being different ones, which only some places of the
//   counters in memory give.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t stripes[4] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                     PTHREAD_MUTEX_INITIALIZER};
static int here, there;

static pthread_mutex_t *stripe(const int *address) {
    return &stripes[(uintptr_t)address >> 5 & 3];
}

static void *both(void *unused) {
    pthread_mutex_lock(stripe(&here));
    assert(pthread_mutex_trylock(stripe(&there)) == 0);
    here++;
    there++;
    pthread_mutex_unlock(stripe(&there));
    pthread_mutex_unlock(stripe(&here));
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, both, 0);
    pthread_join(thread, 0);
    return 0;
}
