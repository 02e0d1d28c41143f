// expect: safe
// reason: The block is copied, as much of it as the variable says, after the thread has ended that changes it.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <string.h>

static char block[4], copy[4];

static void *change(void *argument) {
    block[1] = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    size_t size = 3;
    pthread_create(&thread, NULL, change, NULL);
    pthread_join(thread, NULL);
    memcpy(copy, block, size);
    return copy[1];
}
