// expect: safe
// reason: The text is read after the thread has ended that changes it.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <stdio.h>

static char text[] = "17";

static void *change(void *argument) {
    text[0] = '2';
    return argument;
}

int main(void) {
    pthread_t thread;
    int number = 0;
    pthread_create(&thread, NULL, change, NULL);
    pthread_join(thread, NULL);
    sscanf(text, "%d", &number);
    return number == 0;
}
