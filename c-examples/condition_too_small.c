// expect: unsafe
// reason: The condition variable is the last member of a structure, and the zeroed memory ends a byte before it does.
// size: small
// optimised: same
#include <pthread.h>
#include <stdlib.h>

struct queue {
    int length;
    pthread_cond_t changed;
};

int main(void) {
    struct queue *queue = calloc(1, sizeof *queue - 1);
    if (!queue)
        return 0;
    queue->length = 1;
    pthread_cond_signal(&queue->changed); // out of bounds
    free(queue);
}
