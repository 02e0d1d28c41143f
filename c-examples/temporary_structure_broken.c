// expect: unsafe
// reason: The structure that the call returns is gone when the thread runs, at the latest with the block.
// size: small
// optimised: clang marks no lifetime of this structure, and no block is left of optimised code
#include <pthread.h>

struct counts {
    long of[4];
};

static struct counts start(long count) {
    return (struct counts){{count, count + 1}};
}

static void *increment(void *argument) {
    ++*(long *)argument; // use after scope
    return 0;
}

int main(void) {
    pthread_t thread;
    for (long round = 0; round < 1; round++) {
        pthread_create(&thread, 0, increment, start(round).of);
    }
    pthread_join(thread, 0);
    return 0;
}
