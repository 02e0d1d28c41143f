// expect: unknown
// reason: The thread that takes the first item of the queue moves the others up by memcpy, whose blocks must not overlap.
// size: small
// optimised: the optimised build copies the items by accesses of 4 and 2 bytes, as if the blocks were apart.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct queue {
    short *items;
    unsigned length;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct queue queue;

static void *take(void *unused) {
    pthread_mutex_lock(&lock);
    if (queue.length == 4) {
        memcpy(queue.items, queue.items + 1, 3 * sizeof(short));
        queue.length--;
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    queue.items = calloc(4, sizeof(short));
    if (!queue.items)
        return 0;
    for (short i = 0; i < 4; i++)
        queue.items[i] = i;
    queue.length = 4;
    pthread_create(&thread, 0, take, 0);
    take(0);
    pthread_join(thread, 0);
    assert(queue.items[0] == 1);
    return 0;
}
