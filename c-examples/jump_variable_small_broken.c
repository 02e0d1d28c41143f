// expect: unsafe
// reason: The variable is too small for the registers that setjmp keeps.
// size: small
// optimised: same
#include <setjmp.h>

static char place[8];

int main(void) {
    jmp_buf *buffer = (jmp_buf *)place;
    return setjmp(*buffer); // out of bounds
}
