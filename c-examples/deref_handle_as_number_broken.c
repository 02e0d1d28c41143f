// expect: unsafe
// reason: A number that is no handle is taken for an address.
// options: --property valid-deref
// size: small
// optimised: same
#include <stdint.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

static int table[3];

int main(void) {
    uintptr_t handle = __VERIFIER_nondet_uint();
    int *entry;
    if (handle < 3)
        entry = &table[handle];
    else if (handle == 8192)
        entry = (int *)handle;
    else
        return 2;
    *entry = 1; // wild pointer
    return 0;
}
