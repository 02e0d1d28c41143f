// expect: safe
// reason: A semaphore that was destroyed may be initialised again, and then holds its new value.
// size: small
// optimised: same
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void *post(void *unused) {
    sem_post(&semaphore);
    return unused;
}

int main(void) {
    pthread_t a;
    sem_init(&semaphore, 0, 5);
    sem_destroy(&semaphore);
    sem_init(&semaphore, 0, 0);
    pthread_create(&a, 0, post, 0);
    sem_wait(&semaphore);
    pthread_join(a, 0);
    assert(sem_trywait(&semaphore) == -1 && errno == EAGAIN);
    sem_destroy(&semaphore);
}
