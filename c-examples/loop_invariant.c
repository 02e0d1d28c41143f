// expect: safe
// reason: The loop runs for ever and keeps y at twice x, modulo the width; both stay below their
//   limits.
// size: small
// optimised: same
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned x = 0, y = 0;
    while (__VERIFIER_nondet_bool()) {
        if (x < 100) {
            x++;
            y += 2;
        } else {
            x = 0;
            y = 0;
        }
        assert(y == 2 * x);
        assert(y <= 200);
    }
    return 0;
}
