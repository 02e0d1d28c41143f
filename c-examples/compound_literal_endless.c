// expect: safe
// reason: Each round has a literal of its own and uses no other one.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static void *increment(void *argument) {
    ++*(int *)argument;
    return 0;
}

int main(void) {
    for (int round = 0;;) {
        int *count = &(int){round};
        pthread_t thread;
        pthread_create(&thread, 0, increment, count);
        pthread_join(thread, 0);
        assert(*count == round + 1);
        if (round++ == 1) {
            return 0;
        }
    }
}
