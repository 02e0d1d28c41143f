// expect: unknown
// reason: A thread that was detached must not be joined.
// size: small
// optimised: same
#include <threads.h>

static int start(void *unused) {
    (void)unused;
    return 0;
}

int main(void) {
    thrd_t thread;
    thrd_create(&thread, start, 0);
    thrd_detach(thread);
    thrd_join(thread, 0);
    return 0;
}
