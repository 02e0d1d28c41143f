// expect: unknown
// reason: Numbers before the first seed are those of seed 1, which the model does not know.
// size: small
// optimised: same
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int first = rand();
    srand(1);
    assert(rand() == first);
    return 0;
}
