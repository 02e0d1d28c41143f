// expect: unknown
// reason: The thread waits for the copy of a semaphore, and a copy is no semaphore.
// size: medium
// optimised: same
#include <assert.h>
#include <semaphore.h>

int main(void) {
    sem_t own, copy;
    sem_init(&own, 0, 0);
    sem_post(&own);
    copy = own;
    assert(sem_wait(&copy) == 0);
    return 0;
}
