// expect: unsafe
// reason: A negative number is shifted to the left, for which C gives it no value.
// options: --property no-overflow
// size: small
// optimised: same
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int number = __VERIFIER_nondet_int();
    if (number < -100 || number > 100)
        return 0;
    int scaled = number << 2; // shift out of the range of the type
    return scaled == 8;
}
