// expect: safe
// reason: The request ends the wait for the semaphore.
// options: --property no-deadlock
// size: small
// optimised: same
#include <pthread.h>
#include <semaphore.h>

static sem_t posts;

static void *work(void *argument) {
    sem_wait(&posts);
    return argument;
}

int main(void) {
    pthread_t thread;
    sem_init(&posts, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    return 0;
}
