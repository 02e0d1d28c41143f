// expect: safe
// reason: A variable leads to one of two nodes, which lead to each other.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <stdlib.h>

struct node {
    struct node *other;
};

static struct node *first;

int main(void) {
    first = malloc(sizeof *first);
    first->other = malloc(sizeof *first);
    first->other->other = first;
    first = first->other;
    return 0; // memory leak
}
