// expect: safe
// reason: Each literal is used in the block it stands in, which for that of the condition is the whole `if`.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static void *increment(void *argument) {
    ++*(int *)argument;
    return 0;
}

int main(void) {
    for (int round = 0; round < 2; round++) {
        int *count;
        if (count = &(int){round}, *count < 2) {
            pthread_t thread;
            pthread_create(&thread, 0, increment, count);
            pthread_join(thread, 0);
            assert(*count == round + 1);
        }
    }
    return 0;
}
