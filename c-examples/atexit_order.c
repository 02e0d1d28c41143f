// expect: safe
// reason: What was registered last runs first, where main returns, also if it is registered meanwhile.
// size: small
// optimised: same
#include <assert.h>
#include <stdlib.h>

static int digits;

static void check(void) {
    assert(digits == 231);
}

static void append_one(void) {
    digits = 10 * digits + 1;
}

static void append_three(void) {
    digits = 10 * digits + 3;
}

static void append_two(void) {
    digits = 10 * digits + 2;
    atexit(append_three);
}

int main(void) {
    atexit(check);
    atexit(append_one);
    atexit(append_two);
    return 0;
}
