// expect: unsafe
// reason: The second wait finds no post.
// options: --property no-deadlock
// size: small
// optimised: same
#include <pthread.h>
#include <semaphore.h>

static sem_t items;

static void *produce(void *argument) {
    sem_post(&items);
    return argument;
}

int main(void) {
    pthread_t thread;
    sem_init(&items, 0, 0);
    pthread_create(&thread, NULL, produce, NULL);
    sem_wait(&items);
    sem_wait(&items); // deadlock
    pthread_join(thread, NULL);
    sem_destroy(&items);
    return 0;
}
