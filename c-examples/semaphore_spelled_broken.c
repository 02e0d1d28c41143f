// expect: unknown
// reason: With and without its slash, one name gives two addresses of the same semaphore, which is not supported.
// size: small
// optimised: same
#include <fcntl.h>
#include <semaphore.h>

int main(void) {
    sem_t *first = sem_open("/mazurka-example", O_CREAT | O_EXCL, 0600, 1);
    sem_t *second = sem_open("mazurka-example", 0);
    return first == second;
}
