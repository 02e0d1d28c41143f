// expect: safe
// reason: A word of which one half was never written holds no address, so the other half is read back as it was stored.
// size: small
// optimised: same
#include <assert.h>
#include <stdlib.h>

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int *numbers = malloc(4 * sizeof *numbers);
    // Either of the two words may be used for an address.
    void **place = (void **)numbers + __VERIFIER_nondet_bool();
    if (__VERIFIER_nondet_bool()) {
        *place = numbers;
    } else {
        numbers[2] = 5;
        assert(numbers[2] == 5);
    }
    return 0;
}
