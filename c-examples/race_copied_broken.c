// expect: unsafe
// reason: The block is copied, as much of it as the variable says, while the thread may still change it.
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
    memcpy(copy, block, size); // data race
    pthread_join(thread, NULL);
    return copy[1];
}
