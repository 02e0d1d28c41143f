// expect: safe
// reason: A timed wait never times out if the mutex or the semaphore can be taken at once (POSIX), here because there is one thread
//   only.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

int main(void) {
    struct timespec past = {0, 0};
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    sem_t semaphore;
    sem_init(&semaphore, 0, 1);
    assert(pthread_mutex_timedlock(&mutex, &past) == 0);
    assert(sem_timedwait(&semaphore, &past) == 0);
    return 0;
}
