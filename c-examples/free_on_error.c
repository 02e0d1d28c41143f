// expect: safe
// reason: What was not made is not freed.
// options: --property valid-free
// size: small
// optimised: same
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int make(char **buffer) {
    if (__VERIFIER_nondet_int())
        return 1;
    *buffer = malloc(4);
    **buffer = 0;
    return 0;
}

int main(void) {
    char *buffer;
    int failed = make(&buffer);
    if (!failed)
        free(buffer);
    return failed;
}
