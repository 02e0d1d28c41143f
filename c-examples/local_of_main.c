// expect: safe
// reason: Main waits for all threads that use its variables.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static void *increment(void *argument) {
    ++*(int *)argument;
    return 0;
}

int main(void) {
    pthread_t threads[2];
    int counts[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, increment, &counts[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(counts[0] == 1 && counts[1] == 2);
    return 0;
}
