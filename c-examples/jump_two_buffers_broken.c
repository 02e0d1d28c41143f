// expect: unknown
// reason: Two places are kept by one call; the variable was written between the first one and the jump there.
// size: small
// optimised: same
#include <assert.h>
#include <setjmp.h>

static jmp_buf places[2];

int main(void) {
    int last = 0;
    for (volatile int index = 0; index < 2; index++) {
        last = index + 10;
        if (setjmp(places[index]) != 0) {
            assert(last == 11);
            return 0;
        }
    }
    longjmp(places[0], 1);
}
