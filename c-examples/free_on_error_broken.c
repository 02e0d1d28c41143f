// expect: unsafe
// reason: Frees a pointer that nobody has set if the buffer could not be made.
// options: --property valid-free
// size: small
// optimised: LLVM chooses what the unset pointer holds
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
    free(buffer); // uninitialised pointer
    return failed;
}
