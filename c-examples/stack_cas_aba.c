// expect: unsafe
// reason: One thread reads the top and its successor and is interrupted; the other pops both nodes
//   and pushes the first one back. The swap succeeds because the top is the same again, and
//   installs the successor, which is in use.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    struct node *_Atomic next;
    atomic_int used;
};

static struct node nodes[2] = {{&nodes[1], 0}, {0, 0}};
static struct node *_Atomic top = &nodes[0];

static struct node *pop(void) {
    struct node *seen = atomic_load(&top);
    while (seen && !atomic_compare_exchange_strong(&top, &seen, atomic_load(&seen->next))) {
    }
    if (seen)
        assert(atomic_fetch_add(&seen->used, 1) == 0);
    return seen;
}

static void push(struct node *node) {
    atomic_store(&node->used, 0);
    struct node *seen = atomic_load(&top);
    do
        atomic_store(&node->next, seen);
    while (!atomic_compare_exchange_strong(&top, &seen, node));
}

static void *pop_twice(void *unused) {
    pop();
    pop();
    return unused;
}

static void *pop_two_push_one(void *unused) {
    struct node *first = pop();
    pop();
    if (first)
        push(first);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, pop_twice, 0);
    pthread_create(&b, 0, pop_two_push_one, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
