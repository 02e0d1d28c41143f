// expect: unsafe
// reason: Two nodes lead to each other, and nothing leads to one of them.
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
    first = NULL;
    return 0; // memory leak
}
