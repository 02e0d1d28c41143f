// expect: safe
// reason: The variable of main is alive while `exit` runs what is registered.
// size: small
// optimised: same
#include <assert.h>
#include <stdlib.h>

static volatile int *left;

static void check(void) {
    assert(*left == 1);
}

int main(void) {
    volatile int own = 1;
    left = &own;
    atexit(check);
    exit(0);
}
