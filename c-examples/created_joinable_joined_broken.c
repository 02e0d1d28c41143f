// expect: unsafe
// reason: The thread is created joinable, as its attributes say in the end, and one that knows its handle joins it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_t self;
static sem_t known;

static void *joinable(void *unused) {
    self = pthread_self();
    sem_post(&known);
    return unused;
}

static void *other(void *unused) {
    sem_wait(&known);
    int error = pthread_join(self, 0);
    assert(error != 0);
    return unused;
}

int main(void) {
    pthread_t t, u;
    pthread_attr_t attributes;
    sem_init(&known, 0, 0);
    pthread_create(&u, 0, other, 0);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_JOINABLE);
    pthread_create(&t, &attributes, joinable, 0);
    pthread_exit(0);
}
