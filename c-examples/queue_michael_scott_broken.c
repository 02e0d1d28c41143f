// expect: unsafe
// reason: The last node's next pointer is written without compare-and-swap, so the second of two
//   simultaneous enqueuers overwrites the first one's node.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    struct node *_Atomic next;
};

static struct node nodes[3];
static struct node *_Atomic tail = &nodes[0];

static void *enqueue(void *argument) {
    struct node *node = argument;
    struct node *last = atomic_load(&tail);
    atomic_store(&last->next, node);
    atomic_store(&tail, node);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, enqueue, &nodes[1]);
    pthread_create(&b, 0, enqueue, &nodes[2]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    int length = 0;
    for (struct node *node = nodes[0].next; node && length < 3; node = node->next)
        length++;
    assert(length == 2);
    return 0;
}
