// expect: unsafe
// reason: A semaphore of value 2 lets both threads in.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t two;
static volatile int inside;

static void *work(void *unused) {
    sem_wait(&two);
    inside++;
    assert(inside == 1);
    inside--;
    sem_post(&two);
    return unused;
}

int main(void) {
    sem_init(&two, 0, 2);
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
