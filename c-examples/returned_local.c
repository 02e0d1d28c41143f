// expect: unsafe
// reason: The function returns the address of its own variable.
// size: small
// optimised: clang gives such an address the null pointer
#include <assert.h>

static int *first(void) {
    int values[2] = {1, 2};
    int *result = values;
    return result;
}

int main(void) {
    int *result = first();
    assert(*result == 1); // use after scope
    return 0;
}
