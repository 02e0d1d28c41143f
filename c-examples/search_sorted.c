// expect: safe
// reason: The array is sorted, and the key is in it once.
// size: small
// optimised: same
#include <assert.h>
#include <stdlib.h>

struct item {
    const char *name;
    int key;
};

static int compare(const void *left, const void *right) {
    const struct item *one = left, *other = right;
    return (one->key > other->key) - (one->key < other->key);
}

int main(void) {
    static const struct item items[3] = {{"one", 1}, {"five", 5}, {"nine", 9}};
    struct item wanted = {0, 5};
    const struct item *found = bsearch(&wanted, items, 3, sizeof items[0], compare);
    assert(found == &items[1]);
    return 0;
}
