// expect: safe
// reason: The name is copied to an array, of which the first letter is changed.
// options: --property valid-deref
// size: small
// optimised: same
#include <string.h>

static char buffer[8];

static void capitalise(char *name) {
    name[0] = 'A';
}

int main(void) {
    strcpy(buffer, "anna");
    capitalise(buffer);
    return buffer[0];
}
