// expect: unsafe
// reason: A semaphore must not be used when it is closed.
// size: small
// optimised: same
#include <fcntl.h>
#include <semaphore.h>

int main(void) {
    sem_t *s = sem_open("/mazurka-example", O_CREAT | O_EXCL, 0600, 1);
    if (s == SEM_FAILED)
        return 1;
    sem_close(s);
    sem_post(s); // use after free
    return 0;
}
