// expect: unknown
// reason: The comparison says of equal elements that each is greater than the other, which has no meaning.
// size: small
// optimised: same
#include <assert.h>
#include <stdlib.h>

struct item {
    int key, number;
};

static int compare(const void *left, const void *right) {
    return ((const struct item *)left)->key < ((const struct item *)right)->key ? -1 : 1;
}

int main(void) {
    struct item items[2] = {{1, 1}, {1, 2}};
    qsort(items, 2, sizeof items[0], compare);
    assert(items[0].number == 2);
    return 0;
}
