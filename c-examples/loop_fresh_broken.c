// expect: unsafe
// reason: Each round has a variable of its own, so its value may be 1 for the first time in any round.
// size: small
// optimised: the optimised build takes for granted that no value is read that was never written
#include <assert.h>

int main(void) {
    unsigned rounds = 0;
    for (;; rounds++) {
        int fresh[1];
        if (fresh[0] == 1)
            break;
    }
    assert(rounds < 3);
    return 0;
}
