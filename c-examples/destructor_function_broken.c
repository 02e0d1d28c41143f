// expect: unsafe
// reason: The function with the attribute `destructor` runs where the process ends, and main has not reset the number.
// size: small
// optimised: same
#include <assert.h>
#include <stdlib.h>

static int number;

__attribute__((destructor)) static void check(void) {
    assert(number == 0);
}

int main(void) {
    number = 1;
    exit(0);
}
