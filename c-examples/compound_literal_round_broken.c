// expect: unsafe
// reason: The body of a loop is a block without braces, too, so the literal ends with its round, and the last round is over.
// size: small
// optimised: clang marks no lifetime of literals, and no block is left of optimised code
#include <pthread.h>

static void *increment(void *argument) {
    ++*(int *)argument; // use after scope
    return 0;
}

int main(void) {
    int round = 0, *count = 0;
    while (round < 1)
        count = &(int){round++};
    pthread_t thread;
    pthread_create(&thread, 0, increment, count);
    pthread_join(thread, 0);
    return 0;
}
