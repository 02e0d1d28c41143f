// expect: safe
// reason: The new node gets all of its members before it is found.
// options: --property valid-deref
// size: small
// optimised: same
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
    node->next = NULL;
    head = node;
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct node *node = malloc(sizeof *node);
    int sum = 0;
    pthread_create(&thread, NULL, push, node);
    struct node *first = head;
    if (first && first->next)
        sum = first->next->value;
    pthread_join(thread, NULL);
    free(node);
    return sum;
}
