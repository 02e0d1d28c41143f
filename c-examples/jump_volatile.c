// expect: safe
// reason: The variable that is changed before the jump is volatile, and the other one is not changed.
// size: small
// optimised: same
#include <assert.h>
#include <setjmp.h>

static jmp_buf place;

int main(void) {
    volatile int changed = 0;
    int kept = 5;
    if (setjmp(place) == 0) {
        changed = 1;
        longjmp(place, 1);
    }
    assert(changed == 1 && kept == 5);
    return 0;
}
