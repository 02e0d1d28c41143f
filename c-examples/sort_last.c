// expect: safe
// reason: The element with the greatest key comes last, whichever of the others comes first.
// size: large
// optimised: same
#include <assert.h>
#include <stdlib.h>

struct entry {
    int key, value;
};

static struct entry entries[] = {{2, 1}, {1, 2}, {1, 3}};

static int by_key(const void *one, const void *other) {
    return ((const struct entry *)one)->key - ((const struct entry *)other)->key;
}

int main(void) {
    qsort(entries, 3, sizeof entries[0], by_key);
    assert(entries[2].value == 1);
    return 0;
}
