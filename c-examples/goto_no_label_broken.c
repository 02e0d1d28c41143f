// expect: unknown
// reason: A computed goto must lead to a label of its function.
// size: small
// optimised: LLVM takes the only label there is for the one that is meant
#pragma clang diagnostic ignored "-Wgnu-label-as-value"

extern int __VERIFIER_nondet_int(void);

int main(void) {
    void *to = __VERIFIER_nondet_int() ? &&first : 0;
    goto *to;
first:
    return 0;
}
