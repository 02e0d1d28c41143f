// expect: unsafe
// reason: The array of arguments leads to the block no longer.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <stdlib.h>

int main(int count, char **arguments) {
    if (count > 1) {
        arguments[0] = malloc(4);
        arguments[0] = NULL;
    }
    return 0; // memory leak
}
