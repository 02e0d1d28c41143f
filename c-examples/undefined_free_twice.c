// expect: unsafe
// reason: Both threads may see the object before one of them takes it away, and then both free it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *volatile object;
static volatile int freed;

static void *release(void *argument) {
    int *mine = object;
    if (mine) {
        object = 0;
        free(mine); // double free
        freed = 1;
    }
    return argument;
}

int main(void) {
    object = malloc(sizeof *object);
    pthread_t t;
    pthread_create(&t, 0, release, 0);
    release(0);
    pthread_join(t, 0);
    assert(freed);
    return 0;
}
