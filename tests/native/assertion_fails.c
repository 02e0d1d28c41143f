// The assertion fails in every run.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int value;

static void *set(void *argument) {
    value = 3;
    return argument;
}

int main(void) {
    pthread_t thread;
    puts("before");
    fflush(stdout);
    pthread_create(&thread, 0, set, 0);
    pthread_join(thread, 0);
    assert(value == 4);
    return 0;
}
