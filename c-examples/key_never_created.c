// expect: unknown
// reason: The key of the names is never created. Its fresh memory may happen to hold the number of the other key, but such a run is undefined where it is
//   used, before the assertion.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct keys {
    pthread_key_t depths, names;
};

static int depth;

int main(void) {
    struct keys *keys = malloc(sizeof *keys);
    if (!keys)
        return 1;
    pthread_key_create(&keys->depths, NULL);
    pthread_setspecific(keys->depths, &depth);
    assert(pthread_getspecific(keys->names) != &depth);
    free(keys);
}
