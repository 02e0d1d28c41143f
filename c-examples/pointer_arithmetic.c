// expect: safe
// reason: Walking through a structure's array by pointer visits its elements in order; pointer
//   differences count elements.
// size: small
// optimised: same
#include <assert.h>
#include <stddef.h>

struct pair {
    short key;
    int value;
};

static struct pair pairs[3] = {{1, 10}, {2, 20}, {3, 30}};

static const struct pair *find(short key) {
    for (const struct pair *p = pairs; p != pairs + 3; p++)
        if (p->key == key)
            return p;
    return 0;
}

int main(void) {
    const struct pair *two = find(2);
    assert(two && two - pairs == 1 && two->value == 20);
    assert(*(const int *)((const char *)two + offsetof(struct pair, value)) == 20);
    assert(find(4) == 0);
    return 0;
}
