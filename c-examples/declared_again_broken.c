// expect: unsafe
// reason: Each time a declaration without a value is reached, the variable may hold anything, though it is the same
//   one.
// size: small
// optimised: LLVM lets the variable keep the only value that it is given
#include <assert.h>

int main(void) {
    int is_first = 1;
again:;
    int numbers[2];
    if (is_first) {
        numbers[0] = 7;
        is_first = 0;
        goto again;
    }
    assert(numbers[0] == 7);
    return 0;
}
