// expect: unknown
// reason: The function that called setjmp has returned, so nothing may jump there any more.
// size: small
// optimised: same
#include <setjmp.h>

static jmp_buf place;

static int keep(void) {
    return setjmp(place);
}

int main(void) {
    if (keep() == 0)
        longjmp(place, 1);
    return 0;
}
