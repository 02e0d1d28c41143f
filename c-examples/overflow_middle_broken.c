// expect: unsafe
// reason: The sum of two indices may be larger than the largest int, although their middle is not.
// options: --property no-overflow
// size: small
// optimised: same
extern int __VERIFIER_nondet_int(void);

static int middle(int low, int high) {
    return (low + high) / 2; // signed overflow
}

int main(void) {
    int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
    if (low < 0 || high < low)
        return 0;
    return middle(low, high) < low;
}
