// expect: unsafe
// reason: The handler runs where the thread ends, and does not leave the place of the number as it was.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static int number;

static void reset(void *place) {
    *(int *)place = 0;
}

static void *work(void *argument) {
    pthread_cleanup_push(reset, &number);
    number = 1;
    pthread_exit(argument);
    pthread_cleanup_pop(0);
    return argument;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(number == 1);
    return 0;
}
