// expect: unknown
// reason: No int is as large as the number that is converted.
// size: small
// optimised: LLVM drops the conversion, because a number equals itself
#include <assert.h>

int main(void) {
    volatile double large = 1e20;
    int number = (int)large;
    assert(number == number);
    return 0;
}
