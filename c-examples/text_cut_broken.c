// expect: unsafe
// reason: snprintf returns how long the whole text is, also where the buffer is too short: the program reads behind it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int number = 7;

static void *start(void *argument) {
    number = 12345;
    return argument;
}

int main(void) {
    pthread_t t;
    char text[8];
    pthread_create(&t, 0, start, 0);
    int length = snprintf(text, sizeof text, "job %d", number);
    assert(text[length] == 0); // out of bounds
    pthread_join(t, 0);
    return 0;
}
