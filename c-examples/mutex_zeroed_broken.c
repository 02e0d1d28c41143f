// expect: unsafe
// reason: Zero bytes are a free mutex, as the static initialiser is, so the thread gets it.
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
    struct node *node = calloc(1, sizeof *node);
    if (!node)
        return 0;
    node->value = 1;
    assert(pthread_mutex_trylock(&node->mutex) == EBUSY);
    free(node);
}
