// expect: safe
// reason: The block is written to the file after the thread has filled it.
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
    pthread_join(thread, NULL);
    fwrite(block, 1, sizeof block, stdout);
    return 0;
}
