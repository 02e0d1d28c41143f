// expect: unknown
// reason: Main may destroy the semaphore before the thread has posted it: a post has no meaning
//   then.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void *post(void *unused) {
    sem_post(&semaphore);
    return unused;
}

int main(void) {
    pthread_t a;
    sem_init(&semaphore, 0, 1);
    pthread_create(&a, 0, post, 0);
    sem_wait(&semaphore);
    sem_destroy(&semaphore);
    pthread_join(a, 0);
    assert(1);
}
