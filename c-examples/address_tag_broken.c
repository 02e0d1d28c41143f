// expect: unsafe
// reason: Reading the pointer and writing it back with the mark are two steps, so both threads can find the mark not set.
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
    uintptr_t old = atomic_load(&head);
    atomic_store(&head, old | 1);
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
    return 0;
}
