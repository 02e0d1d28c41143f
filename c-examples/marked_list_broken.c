// expect: unsafe
// reason: A mark in the lowest bit of the next pointer says that a node is deleted. The thread marks the last node, but the sum is that
//   without the second one.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct node {
    _Atomic(uintptr_t) next;
    int value;
};

static struct node last = {0, 3}, second, first;

static void *delete(void *node) {
    struct node *deleted = node;
    atomic_fetch_or(&deleted->next, 1);
    return 0;
}

static int sum(struct node *node) {
    int sum = 0;
    while (node) {
        uintptr_t next = atomic_load(&node->next);
        if (!(next & 1))
            sum += node->value;
        node = (struct node *)(next & ~(uintptr_t)1);
    }
    return sum;
}

int main(void) {
    second.value = 2;
    second.next = (uintptr_t)&last;
    first.value = 1;
    first.next = (uintptr_t)&second;
    pthread_t t;
    pthread_create(&t, 0, delete, &last);
    pthread_join(t, 0);
    assert(sum(&first) == 4);
}
