// expect: unknown
// reason: The same seed gives the same numbers, which the model does not know.
// size: small
// optimised: same
#include <assert.h>
#include <stdlib.h>

int main(void) {
    srand(7);
    int first = rand();
    srand(7);
    assert(rand() == first);
    return 0;
}
