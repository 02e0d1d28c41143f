// expect: safe
// reason: Each round takes its own node back before it ends, although optimising computes the address of all rounds' nodes once.
// size: small
// optimised: same
#include <assert.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int round;
};

static _Atomic(struct node *) shared;

int main(void) {
    for (int round = 0; round < 30 && __VERIFIER_nondet_int(); round++) {
        struct node own = {round};
        (void)atomic_exchange(&shared, &own);
        const struct node *taken = atomic_exchange(&shared, 0);
        assert(taken->round == round);
    }
    return 0;
}
