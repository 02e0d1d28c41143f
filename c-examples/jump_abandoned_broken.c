// expect: unknown
// reason: The jump to main has left the function that kept the other place, without a return; nothing may jump there.
// size: small
// optimised: same
#include <assert.h>
#include <setjmp.h>

static jmp_buf outer, inner;
static volatile int reached;

static void abandoned(void) {
    if (setjmp(inner) != 0) {
        reached = 1;
        return;
    }
    longjmp(outer, 1);
}

int main(void) {
    if (setjmp(outer) == 0) {
        abandoned();
        assert(reached == 1);
        return 0;
    }
    longjmp(inner, 1);
}
