// expect: unknown
// reason: The second variable may lie in the place of the first one, whose block has ended.
// size: small
// optimised: LLVM takes the two variables for different places
#include <assert.h>

int main(void) {
    int *p;
    {
        int first = 1;
        p = &first;
    }
    {
        int second = 2;
        int *q = &second;
        assert(p != q);
    }
    return 0;
}
