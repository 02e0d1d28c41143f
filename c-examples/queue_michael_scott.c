// expect: safe
// reason: Enqueuers swing the next pointer of the last node from null and then the tail, helping
//   each other; nodes are never reused. Both values are in the list afterwards and the tail is its
//   last node.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    struct node *_Atomic next;
    int value;
};

static struct node nodes[3] = {{0, 0}, {0, 1}, {0, 2}};
static struct node *_Atomic tail = &nodes[0];

static void *enqueue(void *argument) {
    struct node *node = argument;
    for (;;) {
        struct node *last = atomic_load(&tail);
        struct node *next = atomic_load(&last->next);
        if (next) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        if (atomic_compare_exchange_strong(&last->next, &next, node)) {
            atomic_compare_exchange_strong(&tail, &last, node);
            return 0;
        }
    }
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, enqueue, &nodes[1]);
    pthread_create(&b, 0, enqueue, &nodes[2]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    struct node *one = nodes[0].next;
    assert(one);
    struct node *two = one->next;
    assert(two && !two->next && tail == two);
    assert(one->value + two->value == 3);
    return 0;
}
