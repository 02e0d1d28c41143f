// expect: unsafe
// reason: The name still belongs to the first semaphore, so the second call must fail.
// size: small
// optimised: same
#include <assert.h>
#include <fcntl.h>
#include <semaphore.h>

int main(void) {
    sem_unlink("/mazurka-example");
    sem_t *first = sem_open("/mazurka-example", O_CREAT | O_EXCL, 0600, 1);
    if (first == SEM_FAILED)
        return 1;
    sem_t *second = sem_open("/mazurka-example", O_CREAT | O_EXCL, 0600, 0);
    assert(second != SEM_FAILED);
    return 0;
}
