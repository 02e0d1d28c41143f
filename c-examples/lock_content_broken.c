// expect: unknown
// reason: What a semaphore holds is the library's own: it is not specified that its first word is its value, or grows with it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static sem_t semaphore;

static void *post(void *unused) {
    sem_post(&semaphore);
    return unused;
}

int main(void) {
    int before, after;
    pthread_t thread;
    sem_init(&semaphore, 0, 0);
    memcpy(&before, &semaphore, sizeof before);
    pthread_create(&thread, 0, post, 0);
    sem_wait(&semaphore);
    pthread_join(thread, 0);
    memcpy(&after, &semaphore, sizeof after);
    assert(before == after);
    return 0;
}
