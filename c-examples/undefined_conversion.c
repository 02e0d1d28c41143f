// expect: unknown
// reason: No int is as large as the number that is converted.
// size: small
#include <assert.h>

int main(void) {
    volatile double large = 1e20;
    int number = (int)large;
    assert(number == number);
    return 0;
}
