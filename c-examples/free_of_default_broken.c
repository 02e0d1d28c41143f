// expect: unsafe
// reason: Who is given no name frees the default.
// options: --property valid-free
// size: small
// optimised: same
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static char standard[] = "standard";
static char *name = standard;

static void configure(void) {
    if (__VERIFIER_nondet_int()) {
        name = malloc(4);
        name[0] = 0;
    }
}

int main(void) {
    configure();
    free(name); // invalid free
    return 0;
}
