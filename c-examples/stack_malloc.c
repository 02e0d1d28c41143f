// expect: safe
// reason: A lock-free stack of heap nodes that is first filled by both threads and emptied after
//   they are joined: nothing is freed while any thread may still access it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *_Atomic top;

static void *push(void *value) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->value = *(int *)value;
    node->next = atomic_load(&top);
    while (!atomic_compare_exchange_weak(&top, &node->next, node)) {
    }
    return 0;
}

int main(void) {
    static int values[2] = {3, 4};
    pthread_t a, b;
    pthread_create(&a, 0, push, &values[0]);
    pthread_create(&b, 0, push, &values[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    int sum = 0;
    for (struct node *node = top; node;) {
        struct node *next = node->next;
        sum += node->value;
        free(node);
        node = next;
    }
    assert(sum == 7);
    return 0;
}
