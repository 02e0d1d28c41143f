// expect: unsafe
// reason: The memory has the size of an integer, the attributes of a read-write lock have that of a pointer, so the
//   initialisation writes behind its end.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int main(void) {
    pthread_rwlockattr_t *attributes = malloc(sizeof(int));
    if (!attributes)
        return 0;
    assert(pthread_rwlockattr_init(attributes) == 0); // out of bounds
    pthread_rwlockattr_destroy(attributes);
    free(attributes);
}
