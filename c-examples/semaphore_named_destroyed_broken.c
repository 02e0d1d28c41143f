// expect: unknown
// reason: A semaphore with a name is closed, and must not be destroyed.
// size: small
// optimised: same
#include <fcntl.h>
#include <semaphore.h>

int main(void) {
    sem_t *s = sem_open("/mazurka-example", O_CREAT | O_EXCL, 0600, 1);
    if (s == SEM_FAILED)
        return 1;
    sem_destroy(s);
    return 0;
}
