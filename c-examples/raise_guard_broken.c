// expect: unsafe
// reason: The guard may be gone when the thread looks at it, and a process that was started with the signal ignored or blocked goes on behind `raise`.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static int guard = 7;

static void check(void) {
    if (guard != 7) {
        raise(SIGABRT);
        assert(0);
    }
}

static void *user(void *unused) {
    check();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, user, 0);
    guard = 0;
    pthread_join(thread, 0);
    return 0;
}
