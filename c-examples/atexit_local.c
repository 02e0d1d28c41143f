// expect: unsafe
// reason: The variable of main is dead when what is registered runs behind its return.
// size: small
// optimised: same
#include <stdlib.h>

static volatile int *left;

static void change(void) {
    ++*left; // use after scope
}

int main(void) {
    volatile int own = 1;
    left = &own;
    atexit(change);
    return 0;
}
