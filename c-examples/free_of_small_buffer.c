// expect: safe
// reason: Only a buffer that was allocated is freed.
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
    if (message != small)
        free(message);
    return 0;
}
