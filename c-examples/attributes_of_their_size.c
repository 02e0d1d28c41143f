// expect: safe
// reason: The memory has the size of the attributes of a read-write lock, and their initialisation succeeds.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int main(void) {
    pthread_rwlockattr_t *attributes = malloc(sizeof *attributes);
    if (!attributes)
        return 0;
    assert(pthread_rwlockattr_init(attributes) == 0);
    pthread_rwlockattr_destroy(attributes);
    free(attributes);
}
