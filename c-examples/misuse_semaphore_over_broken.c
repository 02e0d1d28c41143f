// expect: unsafe
// reason: The main thread goes on when it is posted, and destroys the semaphore, which the thread posts once more.
// options: --property no-lock-misuse
// size: small
// optimised: same
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t done;

static void *work(void *argument) {
    sem_post(&done);
    sem_post(&done); // use of a semaphore that is not initialised
    return argument;
}

int main(void) {
    pthread_t thread;
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    sem_wait(&done);
    sem_destroy(&done);
    pthread_join(thread, NULL);
    return 0;
}
