// expect: unknown
// reason: The number is read from the start of the text; whether the end is read, too, which the thread changes, C
//   leaves open.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <stdio.h>

static char text[] = "12 apples";

static void *change(void *argument) {
    text[4] = 'A';
    return argument;
}

int main(void) {
    pthread_t thread;
    int number = 0;
    pthread_create(&thread, NULL, change, NULL);
    sscanf(text, "%d", &number); // may read the end
    pthread_join(thread, NULL);
    return number;
}
