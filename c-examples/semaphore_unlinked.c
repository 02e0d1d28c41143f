// expect: safe
// reason: Behind sem_unlink the name is free for a new semaphore, and those that have opened the old one keep that.
// size: small
// optimised: same
#include <assert.h>
#include <fcntl.h>
#include <semaphore.h>

static sem_t *open_new(unsigned value) {
    return sem_open("/mazurka-example", O_CREAT | O_EXCL, 0600, value);
}

int main(void) {
    sem_unlink("/mazurka-example");
    sem_t *first = open_new(1);
    if (first == SEM_FAILED)
        return 1;
    assert(sem_unlink("/mazurka-example") == 0);
    sem_t *second = open_new(0);
    if (second == SEM_FAILED)
        return 1;
    assert(second != first);
    assert(sem_trywait(second) != 0 && sem_trywait(first) == 0);
    return 0;
}
