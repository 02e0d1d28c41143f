// expect: unsafe
// reason: The end of the text of the first thread is written behind its row, to the row of the second one.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char names[3][8];

static void *start(void *argument) {
    int number = (int)(long)argument;
    sprintf(names[number], "thread-%d", number);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, start, (void *)0);
    pthread_create(&t2, 0, start, (void *)1);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(strcmp(names[0], "thread-0") == 0);
    assert(strcmp(names[1], "thread-1") == 0);
    return 0;
}
