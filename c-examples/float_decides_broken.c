// expect: unsafe
// reason: A tenth of 3, times 10, is 3 again, but a tenth has no exact representation: a sum of three tenths is more
//   than 0.3.
// size: small
// optimised: same
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int number = __VERIFIER_nondet_int() % 4;
    double sum = 0;
    for (int i = 0; i < number; i++)
        sum += 0.1;
    assert(sum * 10 == number);
    return 0;
}
