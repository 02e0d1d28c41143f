// expect: safe
// reason: The low bit of a pointer to a node is free, because nodes lie at multiples of four; both threads mark the pointer by an
//   atomic or, and one of them only finds the mark not set.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct node {
    int value;
};

static struct node node = {7};
static _Atomic uintptr_t head;
static atomic_int first;

static void *mark(void *unused) {
    uintptr_t old = atomic_fetch_or(&head, 1);
    if ((old & 1) == 0)
        first++;
    struct node *target = (struct node *)(old & ~(uintptr_t)1);
    assert(target == &node && target->value == 7);
    return unused;
}

int main(void) {
    pthread_t a, b;
    head = (uintptr_t)&node;
    pthread_create(&a, 0, mark, 0);
    pthread_create(&b, 0, mark, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(first == 1);
    assert(head % 4 == 1);
    return 0;
}
