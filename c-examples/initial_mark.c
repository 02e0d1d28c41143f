// expect: safe
// reason: A list starts with a mark for its end, and its first node is tagged from the start.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

struct node {
    int value;
    struct node *next;
};

#define END ((struct node *)-1)

static struct node last = {3, END}, first = {4, &last};
static uintptr_t head = (uintptr_t)&first + 1;

static void *sum(void *result) {
    struct node *node = (struct node *)(head & ~(uintptr_t)1);
    for (; node != END; node = node->next)
        *(int *)result += node->value;
    return 0;
}

int main(void) {
    int total = 0;
    pthread_t thread;
    pthread_create(&thread, 0, sum, &total);
    pthread_join(thread, 0);
    assert(total == 7);
    return 0;
}
