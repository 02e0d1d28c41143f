// expect: unsafe
// reason: The pointer to a variable of the round is used after the loop.
// size: small
// optimised: LLVM drops the accesses to the dead variable
#include <assert.h>

int main(void) {
    int *last = 0;
    for (int i = 0; i < 3; i++) {
        int square = i * i;
        last = &square;
    }
    assert(*last == 4); // use after scope
    return 0;
}
