// expect: safe
// reason: The thread that takes the first item of the queue moves the others up by memmove, which may copy between blocks that overlap.
//   The blocks of memcpy are in two objects, or side by side in one.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct queue {
    short *items;
    short *spare;
    unsigned length;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct queue queue;

static void *take(void *unused) {
    pthread_mutex_lock(&lock);
    if (queue.length == 4) {
        memcpy(queue.spare, queue.items, 4 * sizeof(short));
        memmove(queue.items, queue.items + 1, 3 * sizeof(short));
        memcpy(queue.items + 3, queue.items + 2, sizeof(short));
        queue.length--;
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    queue.items = calloc(4, sizeof(short));
    queue.spare = calloc(4, sizeof(short));
    if (!queue.items || !queue.spare)
        return 0;
    for (short i = 0; i < 4; i++)
        queue.items[i] = i;
    queue.length = 4;
    pthread_create(&thread, 0, take, 0);
    take(0);
    pthread_join(thread, 0);
    assert(queue.items[0] == 1 && queue.items[2] == 3 && queue.items[3] == 3);
    assert(queue.spare[0] == 0);
    return 0;
}
