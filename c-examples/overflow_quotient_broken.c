// expect: unsafe
// reason: The least number divided by -1 is larger than the largest one.
// options: --property no-overflow
// size: small
// optimised: same
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int dividend = __VERIFIER_nondet_int(), divisor = __VERIFIER_nondet_int();
    if (divisor == 0)
        return 0;
    long long quotient = dividend / divisor; // division by zero or signed overflow
    return quotient == 1;
}
