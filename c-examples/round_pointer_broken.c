// expect: unsafe
// reason: In the last round the pointer is that to the variable of the first one, whose life is over.
// size: small
// optimised: LLVM drops the accesses to the dead variable
#include <assert.h>

int main(void) {
    int *first = 0;
    for (int i = 0; i < 3; i++) {
        int square = i * i;
        if (i == 0)
            first = &square;
        if (i == 2)
            *first = 7; // use after scope
        assert(square == i * i || i == 2);
    }
    return 0;
}
