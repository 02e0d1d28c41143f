// expect: unsafe
// reason: A popped node is freed and its address comes back from the next allocation, so an
//   interrupted pop in the other thread swaps in a successor that was popped long ago: a value is
//   popped twice.
// options: --property unreach-call
// size: medium
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
static atomic_int taken[3];

static void push(int value) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->value = value;
    node->next = atomic_load(&top);
    while (!atomic_compare_exchange_strong(&top, &node->next, node)) {
    }
}

static struct node *pop(void) {
    struct node *seen = atomic_load(&top);
    while (seen && !atomic_compare_exchange_strong(&top, &seen, seen->next)) {
    }
    if (seen)
        assert(atomic_fetch_add(&taken[seen->value], 1) == 0);
    return seen;
}

static void *pop_twice(void *unused) {
    pop();
    pop();
    return unused;
}

static void *recycle(void *unused) {
    struct node *first = pop();
    struct node *second = pop();
    free(first);
    push(2);
    (void)second;
    return unused;
}

int main(void) {
    push(0);
    push(1);
    pthread_t a, b;
    pthread_create(&a, 0, pop_twice, 0);
    pthread_create(&b, 0, recycle, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
