// expect: unsafe
// reason: The memory has the size of a pointer, not of a semaphore, so the initialisation writes behind its end.
// size: small
// optimised: same
#include <assert.h>
#include <semaphore.h>
#include <stdlib.h>

int main(void) {
    sem_t *semaphore = malloc(sizeof semaphore);
    if (!semaphore)
        return 0;
    sem_init(semaphore, 0, 1); // out of bounds
    assert(sem_trywait(semaphore) == 0);
    sem_destroy(semaphore);
    free(semaphore);
}
