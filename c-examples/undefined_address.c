// expect: unknown
// reason: The link may be followed before any thread has written it. What it holds then may happen to be the address of any
//   variable, and writing there has no defined meaning; where it was written, the assertion holds.
// size: small
// optimised: clang writes the variable by its name once the pointer is known to be equal to its address
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int *link;
};

static int linked, other;

static void *follow(void *argument) {
    struct node *node = argument;
    int *link = *(int *volatile *)&node->link;
    if (link == &other)
        *(volatile int *)link = 1;
    return 0;
}

int main(void) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    pthread_t t;
    pthread_create(&t, 0, follow, node);
    node->link = &linked;
    pthread_join(t, 0);
    assert(linked == 0);
    return 0;
}
