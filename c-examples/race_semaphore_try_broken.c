// expect: unknown
// reason: The place is taken only when the thread has made its access, but that it is taken orders nothing.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <semaphore.h>

static sem_t places;
static int last;

static void *note(void *argument) {
    last = 1;
    sem_wait(&places);
    sem_post(&places);
    return argument;
}

int main(void) {
    pthread_t thread;
    sem_init(&places, 0, 1);
    pthread_create(&thread, NULL, note, NULL);
    if (sem_trywait(&places) == 0)
        sem_post(&places);
    else
        last = 2; // no order by the failed try
    pthread_join(thread, NULL);
    return last;
}
