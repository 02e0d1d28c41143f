// expect: safe
// reason: The thread waits until main has compared the address of its variable with that of another one.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static int *published;
static sem_t ready, done;

static void *publisher(void *unused) {
    int own = 1;
    published = &own;
    sem_post(&ready);
    sem_wait(&done);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&ready, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&thread, 0, publisher, 0);
    sem_wait(&ready);
    int mine = 2;
    assert(published != &mine);
    sem_post(&done);
    pthread_join(thread, 0);
    return 0;
}
