// expect: unsafe
// reason: The assertion fails in the 20th round of a loop that an input may leave at any time.
// size: small
// optimised: same
#include <assert.h>

#ifndef LIMIT
#define LIMIT 20
#endif

extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned rounds = 0;
    while (__VERIFIER_nondet_bool()) {
        rounds++;
        assert(rounds < LIMIT);
    }
    return 0;
}
