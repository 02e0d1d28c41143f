// expect: unknown
// reason: The second variable may lie in the place of the first one, whose block has ended, also where a function
//   compares them.
// size: small
// optimised: LLVM takes the two variables for different places
#include <assert.h>

static int are_same(int *one, int *other) {
    return one == other;
}

static int compare(void) {
    int *p;
    {
        int first = 1;
        p = &first;
    }
    int second = 2;
    return are_same(p, &second);
}

int main(void) {
    assert(!compare());
    return 0;
}
