// expect: unsafe
// reason: The thread gets the literal of the round before, which has ended with it.
// size: small
// optimised: clang marks no lifetime of literals, and no block is left of optimised code
#include <pthread.h>

static void *increment(void *argument) {
    ++*(int *)argument; // use after scope
    return 0;
}

int main(void) {
    int *count = 0;
    for (;;) {
        if (count) {
            pthread_t thread;
            pthread_create(&thread, 0, increment, count);
            pthread_join(thread, 0);
            return 0;
        }
        count = &(int){0};
    }
}
