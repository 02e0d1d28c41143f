// expect: unknown
// reason: Nothing is known of square roots, and the assertion depends on one.
// options: --clang-arg=-fno-math-errno
// size: small
// optimised: same
#include <assert.h>

double __builtin_sqrt(double);
int __VERIFIER_nondet_int(void);

int main(void) {
    double square = (__VERIFIER_nondet_int() & 3) + 1;
    assert(__builtin_sqrt(square) <= 2);
    return 0;
}
