// expect: unknown
// reason: A variable that is not volatile has no certain value behind a jump if it was changed before.
// size: small
// optimised: clang takes what the variable held at setjmp for what it holds, and the assertion fails
#include <assert.h>
#include <setjmp.h>

static jmp_buf place;

int main(void) {
    int changed = 0;
    int kept = 5;
    if (setjmp(place) == 0) {
        changed = 1;
        longjmp(place, 1);
    }
    assert(changed == 1 && kept == 5);
    return 0;
}
