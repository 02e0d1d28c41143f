// expect: safe
// reason: The text is written by snprintf into memory that only this thread looks at.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <stdio.h>

static char name[] = "ab";

static void *change(void *argument) {
    name[0] = 'c';
    return argument;
}

int main(void) {
    pthread_t thread;
    char line[8];
    pthread_create(&thread, NULL, change, NULL);
    int length = snprintf(line, sizeof line, "%s", "ab");
    pthread_join(thread, NULL);
    return length != 2;
}
