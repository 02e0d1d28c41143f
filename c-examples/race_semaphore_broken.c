// expect: unsafe
// reason: The semaphore starts with 1, so the reader need not wait for the write.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <semaphore.h>

static int box;
static sem_t full;

static void *put(void *argument) {
    box = 5;
    sem_post(&full);
    return argument;
}

int main(void) {
    int taken;
    pthread_t thread;
    sem_init(&full, 0, 1);
    pthread_create(&thread, NULL, put, NULL);
    sem_wait(&full);
    taken = box; // data race
    pthread_join(thread, NULL);
    sem_destroy(&full);
    return taken;
}
