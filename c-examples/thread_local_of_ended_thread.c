// expect: unsafe
// reason: Thread-local variables end with their thread: main uses that of the thread after it has joined it.
// size: small
// optimised: same
#include <pthread.h>

static _Thread_local int own;
static int *left;

static void *leave(void *unused) {
    left = &own;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, leave, 0);
    pthread_join(thread, 0);
    *left = 2; // use after thread end
    return 0;
}
