// expect: safe
// reason: A semaphore of value 1 lets one thread in at a time; the threads run for ever.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t one;
static int inside;

static void *work(void *unused) {
    for (;;) {
        sem_wait(&one);
        inside++;
        assert(inside == 1);
        inside--;
        sem_post(&one);
    }
    return unused;
}

int main(void) {
    sem_init(&one, 0, 1);
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
