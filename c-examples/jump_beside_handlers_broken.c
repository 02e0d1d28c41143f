// expect: unknown
// reason: Jumps are not read in programs with clean-up handlers, whose macros keep places, too.
// size: small
// optimised: same
#include <pthread.h>
#include <setjmp.h>

static jmp_buf place;

static void note(void *unused) {
    (void)unused;
}

int main(void) {
    pthread_cleanup_push(note, 0);
    pthread_cleanup_pop(1);
    if (setjmp(place) == 0)
        longjmp(place, 1);
    return 0;
}
