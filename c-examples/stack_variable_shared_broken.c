// expect: unsafe
// reason: Main reads the variable before it joins the thread that fills it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static void *fill(void *argument) {
    *(volatile int *)argument = 7;
    return 0;
}

int main(void) {
    volatile int number = 0;
    pthread_t t;
    pthread_create(&t, 0, fill, (void *)&number);
    int seen = number;
    pthread_join(t, 0);
    assert(seen == 7);
    return 0;
}
