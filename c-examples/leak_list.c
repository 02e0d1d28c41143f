// expect: safe
// reason: All nodes are freed, each before the next one.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <stdlib.h>

struct node {
    struct node *next;
};

static struct node *push(struct node *head) {
    struct node *node = malloc(sizeof *node);
    node->next = head;
    return node;
}

int main(void) {
    struct node *head = push(push(push(NULL)));
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0; // memory leak
}
