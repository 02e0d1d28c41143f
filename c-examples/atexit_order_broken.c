// expect: unsafe
// reason: What was registered first runs last.
// size: small
// optimised: same
#include <assert.h>
#include <stdlib.h>

static int first;

static void set_first(void) {
    first = 1;
}

static void check(void) {
    assert(first == 1);
}

int main(void) {
    atexit(set_first);
    atexit(check);
    return 0;
}
