// expect: safe
// reason: The condition variable is the last member of a structure, and the zeroed memory has room for all of it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct queue {
    int length;
    pthread_cond_t changed;
};

int main(void) {
    struct queue *queue = calloc(1, sizeof *queue);
    if (!queue)
        return 0;
    queue->length = 1;
    assert(pthread_cond_signal(&queue->changed) == 0);
    assert(queue->length == 1);
    free(queue);
}
