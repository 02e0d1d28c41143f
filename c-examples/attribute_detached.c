// expect: safe
// reason: A thread that starts detached cannot be joined; main waits until the thread posts the
//   semaphore.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static int result;

static void *worker(void *unused) {
    result = 1;
    sem_post(&done);
    return unused;
}

int main(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    sem_init(&done, 0, 0);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, worker, 0);
    pthread_attr_destroy(&attributes);
    sem_wait(&done);
    assert(result == 1);
}
