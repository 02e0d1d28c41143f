// expect: safe
// reason: The seconds are at most a day before they are multiplied.
// options: --property no-overflow
// size: small
// optimised: same
extern int __VERIFIER_nondet_int(void);

enum { DAY = 24 * 60 * 60 };

int main(void) {
    int seconds = __VERIFIER_nondet_int();
    if (seconds < 0 || seconds > DAY)
        return 0;
    int milliseconds = seconds * 1000;
    return milliseconds == 1;
}
