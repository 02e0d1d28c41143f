// expect: unknown
// reason: The semaphore is assigned to while the other thread may wait for it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static sem_t semaphore;
static int value;

static void *take(void *unused) {
    sem_wait(&semaphore);
    assert(value == 1);
    return unused;
}

int main(void) {
    pthread_t a;
    sem_init(&semaphore, 0, 0);
    pthread_create(&a, 0, take, 0);
    value = 1;
    memset(&semaphore, 0, sizeof semaphore);
    sem_init(&semaphore, 0, 1);
    pthread_join(a, 0);
    return 0;
}
