// expect: unsafe
// reason: The new node is found before its `next` is set, so the reader follows what memory happened to hold.
// options: --property valid-deref
// size: small
// optimised: LLVM may order plain stores as it likes
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *_Atomic head;

static void *push(void *argument) {
    struct node *node = argument;
    node->value = 1;
    head = node;
    node->next = NULL;
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct node *node = malloc(sizeof *node);
    int sum = 0;
    pthread_create(&thread, NULL, push, node);
    struct node *first = head;
    if (first && first->next)
        sum = first->next->value; // uninitialised pointer
    pthread_join(thread, NULL);
    free(node);
    return sum;
}
