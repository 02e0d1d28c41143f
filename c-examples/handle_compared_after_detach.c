// expect: safe
// reason: The first thread is detached, but runs until the second one has compared the handles, which therefore differ.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_t first;
static sem_t detached, compared;

static void *leave(void *unused) {
    first = pthread_self();
    pthread_detach(first);
    sem_post(&detached);
    sem_wait(&compared);
    return unused;
}

static void *compare(void *unused) {
    assert(first != pthread_self());
    sem_post(&compared);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&detached, 0, 0);
    sem_init(&compared, 0, 0);
    pthread_create(&thread, 0, leave, 0);
    sem_wait(&detached);
    pthread_create(&thread, 0, compare, 0);
    pthread_join(thread, 0);
    return 0;
}
