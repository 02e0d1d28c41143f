// expect: unsafe
// reason: A semaphore of that name may be left over, with a value other than 0.
// size: large
// optimised: same
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t *done;
static int result;

static void *work(void *unused) {
    result = 42;
    sem_post(done);
    return unused;
}

int main(void) {
    pthread_t thread;
    done = sem_open("/done", O_CREAT, 0600, 0);
    if (done == SEM_FAILED)
        return 0;
    pthread_create(&thread, 0, work, 0);
    sem_wait(done);
    assert(result == 42);
    pthread_join(thread, 0);
    sem_close(done);
    return 0;
}
