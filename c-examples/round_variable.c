// expect: unsafe
// reason: The variable of a round is another one in the next round, and has no value there.
// size: medium
// optimised: LLVM picks a value for a variable without one
#include <assert.h>

int main(void) {
    for (int i = 0; i < 2; i++) {
        int seen, *place = &seen;
        if (i == 1)
            assert(*place == 0);
        *place = 0;
    }
    return 0;
}
