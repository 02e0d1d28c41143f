// expect: safe
// reason: The quotient is computed with more bits than the operands have.
// options: --property no-overflow
// size: small
// optimised: same
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int dividend = __VERIFIER_nondet_int(), divisor = __VERIFIER_nondet_int();
    if (divisor == 0)
        return 0;
    long long quotient = (long long)dividend / divisor;
    return quotient == 1;
}
