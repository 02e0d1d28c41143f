// expect: unsafe
// reason: The queue is freed while it holds an item that nobody has taken.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <pthread.h>
#include <stdlib.h>

struct queue {
    pthread_mutex_t lock;
    int *item;
};

static void *take(void *argument) {
    struct queue *queue = argument;
    pthread_mutex_lock(&queue->lock);
    int *item = queue->item;
    queue->item = NULL;
    pthread_mutex_unlock(&queue->lock);
    free(item);
    return NULL;
}

int main(void) {
    struct queue *queue = malloc(sizeof *queue);
    pthread_t thread;
    pthread_mutex_init(&queue->lock, NULL);
    queue->item = NULL;
    pthread_create(&thread, NULL, take, queue);
    pthread_mutex_lock(&queue->lock);
    queue->item = malloc(sizeof *queue->item);
    pthread_mutex_unlock(&queue->lock);
    pthread_join(thread, NULL);
    pthread_mutex_destroy(&queue->lock);
    free(queue);
    return 0; // memory leak
}
