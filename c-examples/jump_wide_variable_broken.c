// expect: unknown
// reason: The variable of 128 bits may have either value behind the jump, in its upper half, too.
// size: small
// optimised: differs: clang knows the content
#include <assert.h>
#include <setjmp.h>

#pragma clang diagnostic ignored "-Wbit-int-extension"

typedef unsigned _BitInt(128) wide_number;

static jmp_buf place;

int main(void) {
    wide_number wide = 0;
    if (setjmp(place) != 0) {
        assert((unsigned long)(wide >> 64) == 0);
        return 0;
    }
    wide = (wide_number)1 << 64;
    longjmp(place, 1);
}
