// expect: unknown
// reason: Whether the variable of a round lies where that of an earlier one lay is open.
// size: small
// optimised: LLVM keeps one place for the variables of all rounds
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *last = 0, repeated = 0;
    while (__VERIFIER_nondet_int()) {
        int own;
        if (last == &own)
            repeated = 1;
        last = &own;
    }
    assert(!repeated);
    return 0;
}
