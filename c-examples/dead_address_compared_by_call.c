// expect: safe
// reason: Both variables are alive when a function compares their addresses.
// size: small
// optimised: same
#include <assert.h>

static int are_same(int *one, int *other) {
    return one == other;
}

static int compare(void) {
    int *p;
    int first = 1;
    p = &first;
    int second = 2;
    return are_same(p, &second);
}

int main(void) {
    assert(!compare());
    return 0;
}
