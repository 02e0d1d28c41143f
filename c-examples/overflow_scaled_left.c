// expect: safe
// reason: A number is multiplied by 4, and is small enough for that in both directions.
// options: --property no-overflow
// size: small
// optimised: same
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int number = __VERIFIER_nondet_int();
    if (number < -100 || number > 100)
        return 0;
    int scaled = number * 4;
    return scaled == 8;
}
