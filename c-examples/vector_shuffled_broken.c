// expect: unsafe
// reason: An element of a shuffled vector that comes from neither operand has any value.
// size: small
// optimised: LLVM picks a value for an element without one
#include <assert.h>

typedef int v4 __attribute__((vector_size(16)));

int main(void) {
    volatile int one = 1;
    v4 x = {one, 2, 3, 4};
    v4 y = __builtin_shufflevector(x, x, 0, 1, -1, -1);
    int third = y[2] / 3;
    assert(third == 0);
    return 0;
}
