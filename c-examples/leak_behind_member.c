// expect: safe
// reason: A pointer to a member leads to the whole object.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <stdlib.h>

struct pair {
    int first;
    int second;
};

static int *member;

int main(void) {
    struct pair *pair = malloc(sizeof *pair);
    pair->first = pair->second = 0;
    member = &pair->second;
    *member = 1;
    return 0; // memory leak
}
