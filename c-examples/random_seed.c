// expect: unsafe
// reason: Nothing says that two numbers of one seed differ.
// size: small
// optimised: same
#include <assert.h>
#include <stdlib.h>

int main(void) {
    unsigned seed = 7;
    int first = rand_r(&seed);
    assert(rand_r(&seed) != first);
    return 0;
}
