// expect: safe
// reason: The declaration gives the variable its value each time.
// size: small
// optimised: same
#include <assert.h>

int main(void) {
    int round = 0;
again:;
    int number = 7;
    assert(number == 7);
    number = round;
    if (round++ < 2) {
        goto again;
    }
    assert(number == 2);
    return 0;
}
