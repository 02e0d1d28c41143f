// expect: unsafe
// reason: The comparison is made unsigned, in which -1 is the largest number.
// size: medium
// optimised: same
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int below(int index, unsigned size) { return (unsigned)index < size; }

int main(void) {
    int index = __VERIFIER_nondet_int();
    if (index < 4)
        assert(below(index, 4));
    return 0;
}
