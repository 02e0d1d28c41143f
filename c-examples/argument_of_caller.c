// expect: safe
// reason: The function whose variable the thread gets waits for the thread before it returns.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static void *increment(void *argument) {
    ++*(int *)argument;
    return 0;
}

static int run(void) {
    pthread_t thread;
    int count = 1;
    pthread_create(&thread, 0, increment, &count);
    pthread_join(thread, 0);
    return count;
}

int main(void) {
    assert(run() == 2);
    return 0;
}
