// expect: safe
// reason: The text is printed by the thread that has written it.
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
    pthread_join(thread, NULL);
    puts(text);
    return 0;
}
