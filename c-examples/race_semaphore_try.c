// expect: safe
// reason: A thread that does not get the place leaves the variable alone.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <semaphore.h>

static sem_t places;
static int last;

static void *note(void *argument) {
    sem_wait(&places);
    last = 1;
    sem_post(&places);
    return argument;
}

int main(void) {
    pthread_t thread;
    sem_init(&places, 0, 1);
    pthread_create(&thread, NULL, note, NULL);
    if (sem_trywait(&places) == 0) {
        last = 2;
        sem_post(&places);
    }
    pthread_join(thread, NULL);
    return last;
}
