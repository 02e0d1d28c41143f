// expect: safe
// reason: Each call of the function keeps a place of its own, and jumps there when the inner calls have returned.
// size: small
// optimised: same
#include <assert.h>
#include <setjmp.h>

static int climb(int depth) {
    jmp_buf own;
    int result = setjmp(own);
    if (result != 0)
        return result;
    int inner = depth == 0 ? 0 : climb(depth - 1);
    longjmp(own, inner + 1);
}

int main(void) {
    assert(climb(2) == 3);
    return 0;
}
