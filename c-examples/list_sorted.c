// expect: safe
// reason: Inserting three inputs into a linked list at their places keeps it sorted.
// size: medium
// optimised: same
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

static struct node nodes[3];

static void insert(struct node **list, struct node *node) {
    while (*list && (*list)->value < node->value)
        list = &(*list)->next;
    node->next = *list;
    *list = node;
}

int main(void) {
    struct node *list = 0;
    for (int i = 0; i < 3; i++) {
        nodes[i].value = __VERIFIER_nondet_int();
        insert(&list, &nodes[i]);
    }
    assert(list->value <= list->next->value);
    assert(list->next->value <= list->next->next->value);
    assert(list->next->next->next == 0);
    return 0;
}
