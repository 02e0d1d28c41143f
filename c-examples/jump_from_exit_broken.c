// expect: unknown
// reason: A function that runs at the exit jumps to a place in main, which is not running any more, though it has
//   kept another one itself.
// size: small
// optimised: same
#include <assert.h>
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf of_main, of_exit;

static void at_exit(void) {
    if (setjmp(of_exit) == 0)
        longjmp(of_main, 1);
}

int main(void) {
    atexit(at_exit);
    if (setjmp(of_main) != 0)
        assert(0);
    exit(0);
}
