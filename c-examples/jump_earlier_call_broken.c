// expect: unknown
// reason: The second call jumps by the buffer of the first one, which has returned.
// size: small
// optimised: same
#include <assert.h>
#include <setjmp.h>

static jmp_buf places[2];

static void call(int number) {
    jmp_buf *own = &places[number];
    volatile int called = number;
    if (setjmp(*own) != 0) {
        assert(called == 1);
        return;
    }
    if (number == 1)
        longjmp(places[0], 1);
}

int main(void) {
    for (volatile int number = 0; number < 2; number++)
        call(number);
    return 0;
}
