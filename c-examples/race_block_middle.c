// expect: safe
// reason: The block is written to standard output when the thread has changed it.
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
    pthread_join(thread, NULL);
    fwrite(block, 1, 5, stdout);
    return 0;
}
