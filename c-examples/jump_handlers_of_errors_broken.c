// expect: unsafe
// reason: The outer block gets the error of the inner one, which forgets to count it.
// size: small
// optimised: same
#include <assert.h>
#include <setjmp.h>

static jmp_buf *innermost;
static int error;

static void fail(int code) {
    error = code;
    longjmp(*innermost, 1);
}

int main(void) {
    volatile int result = 0;
    jmp_buf outer, inner;
    innermost = &outer;
    if (setjmp(outer) == 0) {
        innermost = &inner;
        if (setjmp(inner) == 0)
            fail(1);
        innermost = &outer;
        fail(error);
    } else {
        result = error;
    }
    assert(result == 2);
    return 0;
}
