// expect: unknown
// reason: Whether a routine runs again that a jump has left is not said.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static jmp_buf place;
static volatile int calls;

static void initialise(void) {
    calls++;
    if (calls == 1)
        longjmp(place, 1);
}

int main(void) {
    if (setjmp(place) == 0) {
        pthread_once(&once, initialise);
    } else {
        pthread_once(&once, initialise);
        assert(calls == 1);
    }
    return 0;
}
