// expect: unsafe
// reason: The variables of a thread end with it: main uses what the thread has left it the address of.
// size: small
// optimised: LLVM drops the store of an address that is dead when the thread returns
#include <pthread.h>

static int *left;

static void *leave(void *unused) {
    int own = 1;
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
