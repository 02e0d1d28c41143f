// expect: unsafe
// reason: The second visit subtracts less than the first one adds. Two functions that call each other hand a function
//   on.
// size: small
// optimised: same
#include <assert.h>
#include <stddef.h>

struct node {
    int number;
    struct node *left, *right;
};

static int sum;

static void add(struct node *node) {
    sum += node->number;
}

static void subtract(struct node *node) {
    sum -= node->number / 2;
}

static void visit_children(struct node *node, void (*visit)(struct node *));

static void visit_all(struct node *node, void (*visit)(struct node *)) {
    if (node != NULL) {
        visit(node);
        visit_children(node, visit);
    }
}

static void visit_children(struct node *node, void (*visit)(struct node *)) {
    visit_all(node->left, visit);
    visit_all(node->right, visit);
}

int main(void) {
    struct node left = {1, NULL, NULL}, right = {2, NULL, NULL}, root = {3, &left, &right};
    visit_all(&root, add);
    visit_all(&root, subtract);
    assert(sum == 0);
    return 0;
}
