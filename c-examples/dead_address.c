// expect: safe
// reason: Both variables are alive when their addresses are compared.
// size: small
// optimised: same
#include <assert.h>

int main(void) {
    int first = 1;
    int *p = &first;
    {
        int second = 2;
        int *q = &second;
        assert(p != q);
        assert(p < q || p > q);
    }
    return 0;
}
