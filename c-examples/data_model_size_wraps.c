// expect: unsafe
// reason: The product of count and size wraps around at 32 bits, so that a large table takes four bytes. In LP64 it does not wrap.
// options: --data-model=ILP32
// size: small
// optimised: same
#include <assert.h>
#include <stddef.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned count = __VERIFIER_nondet_uint();
    size_t bytes = count * sizeof(int);
    assert(bytes / sizeof(int) == count);
    return 0;
}
