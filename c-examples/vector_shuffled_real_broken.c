// expect: unsafe
// reason: An element of the shuffled vector that comes from nowhere has any value, also that which it must not have.
// size: small
// optimised: differs: clang chooses the value
#include <assert.h>

#pragma clang diagnostic ignored "-Wgnu-designator"

typedef float reals __attribute__((vector_size(16)));

int main(void) {
    reals left = {1, 2, 3, 4}, right = {5, 6, 7, 8};
    reals mixed = __builtin_shufflevector(left, right, 0, -1, 7, -1);
    assert(mixed[1] != 2);
    return 0;
}
