// expect: unsafe
// reason: The structure that the call returns ends with the declaration, while the thread may run later.
// size: small
// optimised: clang marks no lifetime of this structure, and no expression is left of optimised code
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
    long *count = start(1).of;
    pthread_t thread;
    pthread_create(&thread, 0, increment, count);
    pthread_join(thread, 0);
    return 0;
}
