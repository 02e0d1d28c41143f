// expect: unsafe
// reason: The first letter of a string literal is changed.
// options: --property valid-deref
// size: small
// optimised: LLVM knows that the write is wrong, and leaves nothing of the program
#include <string.h>

static char buffer[8];

static void capitalise(char *name) {
    name[0] = 'A'; // write to a constant
}

int main(void) {
    buffer[0] = 'b';
    char *name = (char *)"anna";
    capitalise(name);
    return buffer[0];
}
