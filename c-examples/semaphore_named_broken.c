// expect: unsafe
// reason: The semaphore starts with 1, so the wait does not wait.
// size: small
// optimised: same
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

static int written;

static void *work(void *unused) {
    sem_t *ready = sem_open("/mazurka-example", 0);
    if (ready == SEM_FAILED)
        return unused;
    written = 1;
    sem_post(ready);
    sem_close(ready);
    return unused;
}

int main(void) {
    pthread_t t;
    sem_unlink("/mazurka-example");
    sem_t *ready = sem_open("/mazurka-example", O_CREAT | O_EXCL, 0600, 1);
    if (ready == SEM_FAILED)
        return 1;
    pthread_create(&t, 0, work, 0);
    sem_wait(ready);
    assert(written == 1);
    pthread_join(t, 0);
    sem_close(ready);
    sem_unlink("/mazurka-example");
    return 0;
}
