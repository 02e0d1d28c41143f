// expect: unknown
// reason: The variable was written behind another jump, and has no certain value at the first place.
// size: small
// optimised: differs: clang keeps the variable in memory
#include <assert.h>
#include <setjmp.h>

static jmp_buf first, second;

int main(void) {
    int value = 0;
    if (setjmp(second) != 0) {
        value = 1;
        longjmp(first, 1);
    }
    if (setjmp(first) != 0) {
        assert(value == 1);
        return 0;
    }
    longjmp(second, 1);
}
