// expect: unsafe
// reason: The function without a priority runs behind those that have one.
// size: small
// optimised: same
#include <assert.h>

static int number;

__attribute__((constructor)) static void set_two(void) {
    number = 2;
}

__attribute__((constructor(101))) static void set_one(void) {
    number = 1;
}

int main(void) {
    assert(number == 1);
    return 0;
}
