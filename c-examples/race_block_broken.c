// expect: unsafe
// reason: The block is written to the file while the thread may still fill it.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <stdio.h>

static char block[8];

static void *fill(void *argument) {
    block[0] = 'x';
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, fill, NULL);
    fwrite(block, 1, sizeof block, stdout); // data race
    pthread_join(thread, NULL);
    return 0;
}
