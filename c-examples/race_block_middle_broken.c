// expect: unsafe
// reason: The block is written to standard output, its middle, too, while the thread may still change it there.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <stdio.h>

static char block[6] = "abcde";

static void *change(void *argument) {
    block[3] = 'x';
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, change, NULL);
    fwrite(block, 1, 5, stdout); // data race
    pthread_join(thread, NULL);
    return 0;
}
