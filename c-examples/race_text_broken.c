// expect: unsafe
// reason: The text is printed while the other thread may still write it.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <stdio.h>

static char text[] = "a-";

static void *change(void *argument) {
    text[1] = '+';
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, change, NULL);
    puts(text); // data race
    pthread_join(thread, NULL);
    return 0;
}
