// expect: safe
// reason: The thread is cancelled, and what its handler has written is read when it was joined.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <semaphore.h>

static sem_t never;
static int state;

static void clean(void *argument) {
    (void)argument;
    state = 2;
}

static void *wait_for_ever(void *argument) {
    pthread_cleanup_push(clean, NULL);
    sem_wait(&never);
    pthread_cleanup_pop(0);
    return argument;
}

int main(void) {
    pthread_t thread;
    sem_init(&never, 0, 0);
    pthread_create(&thread, NULL, wait_for_ever, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    return state;
}
