// expect: unsafe
// reason: A short message stays in an array of the stack, and is freed as well.
// options: --property valid-free
// size: small
// optimised: same
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    char small[8];
    unsigned length = __VERIFIER_nondet_uint() % 16;
    char *message = length <= sizeof small ? small : malloc(16);
    message[0] = 0;
    if (length)
        free(message); // invalid free
    return 0;
}
