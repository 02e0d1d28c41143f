// expect: safe
// reason: The array of arguments stays until the program ends, and leads to the block.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <stdlib.h>

int main(int count, char **arguments) {
    if (count > 1) {
        arguments[0] = malloc(4);
        arguments[0][0] = 0;
    }
    return 0; // memory leak
}
