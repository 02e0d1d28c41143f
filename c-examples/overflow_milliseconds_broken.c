// expect: unsafe
// reason: The seconds are multiplied before it is known that they are at most a day.
// options: --property no-overflow
// size: small
// optimised: same
extern int __VERIFIER_nondet_int(void);

enum { DAY = 24 * 60 * 60 };

int main(void) {
    int seconds = __VERIFIER_nondet_int();
    int milliseconds = seconds * 1000; // signed overflow
    if (seconds < 0 || seconds > DAY)
        return 0;
    return milliseconds == 1;
}
