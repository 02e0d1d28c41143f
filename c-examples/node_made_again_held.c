// expect: unknown
// reason: Main initialises the mutex of the node again, which the other thread has left locked.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    pthread_mutex_t mutex;
    int value;
};

static struct node *shared;

static void make(struct node *node) {
    pthread_mutex_init(&node->mutex, 0);
}

static void *use(void *unused) {
    struct node *node = shared;
    pthread_mutex_lock(&node->mutex);
    node->value++;
    return unused;
}

int main(void) {
    pthread_t a;
    shared = malloc(sizeof *shared);
    shared->value = 0;
    make(shared);
    pthread_create(&a, 0, use, 0);
    pthread_join(a, 0);
    make(shared);
    pthread_mutex_lock(&shared->mutex);
    assert(shared->value == 1);
    return 0;
}
