// expect: unknown
// reason: The value is 1 only when the thread has made its access, but who looks at the value does not wait for what
//   comes before.
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
    if (value == 1)
        seen = result; // no order by the value
    pthread_join(thread, NULL);
    return seen;
}
