// expect: safe
// reason: Functions with the attribute `constructor` run before main, in the order of their priorities; those with the attribute
//   `destructor` run behind what is registered for the end of the process, in the opposite order.
// size: small
// optimised: same
#include <assert.h>
#include <stdlib.h>

static int digits;

__attribute__((constructor)) static void last(void) {
    digits = 10 * digits + 3;
}

__attribute__((constructor(102))) static void second(void) {
    digits = 10 * digits + 2;
}

__attribute__((constructor(101))) static void first(void) {
    digits = 10 * digits + 1;
}

__attribute__((destructor(101))) static void end(void) {
    assert(digits == 0);
}

__attribute__((destructor)) static void begin_end(void) {
    assert(digits == 12345);
    digits = 0;
}

static void registered(void) {
    digits = 10 * digits + 5;
}

int main(void) {
    assert(digits == 123);
    atexit(registered);
    digits = 10 * digits + 4;
    return 0;
}
