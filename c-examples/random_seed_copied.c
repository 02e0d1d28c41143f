// expect: unknown
// reason: The same seed gives the same number, which the model does not know.
// size: small
// optimised: same
#include <assert.h>
#include <stdlib.h>

int main(void) {
    unsigned seed = 7;
    unsigned copy = seed;
    int first = rand_r(&seed);
    assert(rand_r(&copy) == first);
    return 0;
}
