// expect: safe
// reason: A quotient of zeros is not a number, which differs from all numbers and from itself.
// size: small
// optimised: same
#include <assert.h>

static double quotient(double dividend, double divisor) {
    return dividend / divisor;
}

int main(void) {
    double none = quotient(0, 0), most = quotient(1, 0);
    assert(none != none && !(none < 1) && !(none >= 1));
    assert(most > 1e308 && -most < 0 && most == most + 1);
    return 0;
}
