// expect: unknown
// reason: The name of a semaphore must be a constant string where all calls are inlined.
// size: small
// optimised: same
#include <fcntl.h>
#include <semaphore.h>

int main(int count, char **arguments) {
    if (count < 2)
        return 1;
    sem_t *s = sem_open(arguments[1], O_CREAT | O_EXCL, 0600, 1);
    return s == SEM_FAILED;
}
