// expect: safe
// reason: The semaphore is destroyed when the thread has ended that posts it.
// options: --property no-lock-misuse
// size: small
// optimised: same
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t done;

static void *work(void *argument) {
    sem_post(&done);
    sem_post(&done);
    return argument;
}

int main(void) {
    pthread_t thread;
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    sem_wait(&done);
    pthread_join(thread, NULL);
    sem_destroy(&done);
    return 0;
}
