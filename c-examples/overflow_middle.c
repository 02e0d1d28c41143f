// expect: safe
// reason: The middle is computed from the distance of two indices that are not negative.
// options: --property no-overflow
// size: small
// optimised: same
extern int __VERIFIER_nondet_int(void);

static int middle(int low, int high) {
    return low + (high - low) / 2;
}

int main(void) {
    int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
    if (low < 0 || high < low)
        return 0;
    return middle(low, high) < low;
}
