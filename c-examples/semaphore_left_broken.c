// expect: unknown
// reason: Without sem_unlink or O_EXCL the semaphore may be one that an earlier process has left, with any value.
// size: small
// optimised: same
#include <assert.h>
#include <fcntl.h>
#include <semaphore.h>

int main(void) {
    int value;
    sem_t *s = sem_open("/mazurka-example", O_CREAT, 0600, 1);
    if (s == SEM_FAILED)
        return 1;
    sem_getvalue(s, &value);
    assert(value == 1);
    sem_close(s);
    return 0;
}
