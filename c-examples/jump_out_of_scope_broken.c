// expect: unsafe
// reason: The jump leaves the function whose variable the pointer leads to.
// size: small
// optimised: same
#include <assert.h>
#include <setjmp.h>

static jmp_buf place;
static int *volatile left;

static void leave(void) {
    int own = 3;
    left = &own;
    longjmp(place, 1);
}

int main(void) {
    if (setjmp(place) == 0)
        leave();
    assert(*left == 3); // use after scope
    return 0;
}
