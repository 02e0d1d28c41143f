// expect: unknown
// reason: Nobody says that a copy of a buffer is as good as the buffer.
// size: small
// optimised: same
#include <setjmp.h>
#include <string.h>

static jmp_buf place, copy;

int main(void) {
    if (setjmp(place) != 0)
        return 0;
    memcpy(&copy, &place, sizeof place);
    longjmp(copy, 1);
}
