// expect: unknown
// reason: The mutex of the node is never initialised. Fresh memory holds anything, also what a held mutex looks like, but such a run
//   is undefined where the mutex is used, before the assertion.
// size: small
// optimised: same
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    pthread_mutex_t mutex;
    int value;
};

int main(void) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        return 0;
    node->value = 1;
    assert(pthread_mutex_trylock(&node->mutex) == EBUSY);
    free(node);
}
