// expect: unknown
// reason: To call `exit` in what `exit` runs is undefined.
// size: small
// optimised: same
#include <stdlib.h>

static void leave(void) {
    exit(1);
}

int main(void) {
    atexit(leave);
    return 0;
}
