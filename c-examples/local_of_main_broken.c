// expect: unsafe
// reason: Main may return while a thread still uses its variable.
// size: small
// optimised: same
#include <pthread.h>

static void *increment(void *argument) {
    ++*(int *)argument; // use after thread end
    return 0;
}

int main(void) {
    pthread_t thread;
    int count = 0;
    pthread_create(&thread, 0, increment, &count);
    return 0;
}
