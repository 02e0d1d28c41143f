// expect: unknown
// reason: The thread that waits takes the handle from the pool before any thread stores one there. Fresh memory may happen to hold
//   the handle of the worker, but such a run is undefined where it joins, before the assertion.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int done;

static void *work(void *argument) {
    (void)argument;
    done = 1;
    return NULL;
}

int main(void) {
    pthread_t worker, *pool = malloc(2 * sizeof *pool);
    if (!pool)
        return 0;
    pthread_create(&worker, NULL, work, NULL);
    pool[0] = worker;
    pthread_join(pool[1], NULL);
    assert(!done);
    free(pool);
}
