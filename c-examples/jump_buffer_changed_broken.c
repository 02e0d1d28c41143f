// expect: unknown
// reason: Most of the buffer is written over before the jump.
// size: small
// optimised: same
#include <setjmp.h>
#include <string.h>

static jmp_buf place;

int main(void) {
    if (setjmp(place) != 0)
        return 0;
    memset((char *)&place + 8, 0, 32);
    longjmp(place, 1);
}
