// expect: unsafe
// reason: The half of a word that was never written may hold anything, whatever the other half holds.
// size: small
// optimised: the optimised build takes for granted that no value is read that was never written
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
        assert(numbers[3] == 0);
    }
    return 0;
}
