// expect: unsafe
// reason: The first handler is not the second one.
// size: small
// optimised: same
#include <assert.h>
#include <signal.h>
#include <stddef.h>

static void first(int signal) {
    (void)signal;
}

static void second(int signal) {
    (void)signal;
}

int main(void) {
    struct sigaction action = {.sa_handler = first}, old;
    sigaction(SIGUSR1, &action, NULL);
    action.sa_handler = second;
    sigaction(SIGUSR1, &action, &old);
    assert(old.sa_handler == second);
    return 0;
}
