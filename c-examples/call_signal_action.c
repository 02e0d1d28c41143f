// expect: safe
// reason: The handler that was set is told when another one is.
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
    assert(old.sa_handler == first);
    return 0;
}
