// expect: safe
// reason: The structure that the call returns lasts until the expression is evaluated, and so does the call that gets its array.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

struct counts {
    long of[4];
};

static struct counts start(long count) {
    return (struct counts){{count, count + 1}};
}

static void *increment(void *argument) {
    ++*(long *)argument;
    return 0;
}

static long run(long *count) {
    pthread_t thread;
    pthread_create(&thread, 0, increment, count);
    pthread_join(thread, 0);
    return *count;
}

int main(void) {
    for (long round = 0; round < 2; round++) {
        assert(run(start(round).of) == round + 1);
    }
    return 0;
}
