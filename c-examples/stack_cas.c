// expect: safe
// reason: A lock-free stack of static nodes that are pushed once and popped once: the top cannot
//   leave and come back between a thread's read and its compare-and-swap, so every node is popped
//   by one thread only.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    struct node *next;
    int popped;
};

static struct node nodes[2] = {{&nodes[1], 0}, {0, 0}};
static struct node *_Atomic top = &nodes[0];

static void *pop(void *unused) {
    struct node *seen = atomic_load(&top);
    while (seen && !atomic_compare_exchange_strong(&top, &seen, seen->next)) {
    }
    if (seen) {
        seen->popped++;
        assert(seen->popped == 1);
    }
    return unused;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, pop, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(nodes[0].popped == 1 && nodes[1].popped == 1);
    return 0;
}
