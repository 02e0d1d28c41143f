// expect: unsafe
// reason: The literal ends with the block it stands in, and the thread may run later.
// size: small
// optimised: clang marks no lifetime of literals, and no block is left of optimised code
#include <pthread.h>

static void *increment(void *argument) {
    ++*(int *)argument; // use after scope
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int round = 0; round < 1; round++) {
        pthread_create(&thread, 0, increment, &(int){round});
    }
    pthread_join(thread, 0);
    return 0;
}
