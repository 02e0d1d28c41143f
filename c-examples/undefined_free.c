// expect: unknown
// reason: The thread may follow the link before main has written it. What it holds then may happen to be the address of the heap object,
//   and freeing an object that way has no defined meaning.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int *link;
};

static int *object, linked, freed;

static void *release(void *argument) {
    struct node *node = argument;
    int *link = node->link;
    if (link == object) {
        free(link);
        freed = 1;
    }
    return 0;
}

int main(void) {
    struct node *node = malloc(sizeof *node);
    object = malloc(sizeof *object);
    if (!node || !object)
        abort();
    pthread_t t;
    pthread_create(&t, 0, release, node);
    node->link = &linked;
    pthread_join(t, 0);
    assert(freed <= 1);
    return 0;
}
