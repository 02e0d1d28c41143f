// expect: unsafe
// reason: Nobody posts the semaphore, and the thread has turned cancellation off.
// options: --property no-deadlock
// size: small
// optimised: same
#include <pthread.h>
#include <semaphore.h>

static sem_t posts;

static void *work(void *argument) {
    int state;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    sem_wait(&posts); // deadlock
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
