// expect: unknown
// reason: Which of two elements with the same key comes first is up to the library.
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
    assert(entries[0].value == 2);
    return 0;
}
