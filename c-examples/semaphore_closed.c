// expect: unknown
// reason: The thread may still wait for the semaphore when `main` closes it.
// size: large
// optimised: same
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t *turn;

static void *work(void *unused) {
    sem_wait(turn);
    return unused;
}

int main(void) {
    pthread_t thread;
    turn = sem_open("/turn", O_CREAT | O_EXCL, 0600, 1);
    if (turn == SEM_FAILED)
        return 0;
    pthread_create(&thread, 0, work, 0);
    sem_close(turn);
    pthread_join(thread, 0);
    return 0;
}
