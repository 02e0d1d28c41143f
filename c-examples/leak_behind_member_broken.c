// expect: unsafe
// reason: The pointer to the member is null when the program ends.
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
    member = NULL;
    return 0; // memory leak
}
