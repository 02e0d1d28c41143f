// expect: safe
// reason: The default is static, and freed only where it was replaced.
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
    if (name != standard)
        free(name);
    return 0;
}
