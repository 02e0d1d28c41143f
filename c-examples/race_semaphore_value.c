// expect: safe
// reason: The variable is accessed behind the wait; the value that was seen before only tells whether there will be
//   one.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static int result;

static void *compute(void *argument) {
    result = 1;
    sem_post(&done);
    return argument;
}

int main(void) {
    pthread_t thread;
    int value, seen = 0;
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, compute, NULL);
    sem_getvalue(&done, &value);
    if (value == 1) {
        sem_wait(&done);
        seen = result;
    }
    pthread_join(thread, NULL);
    return seen;
}
