// expect: unsafe
// reason: Of the threads that wait, the signal may wake the wrong one, which waits again.
// options: --property no-deadlock
// size: small
// optimised: same
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;

static void take(int own, int next) {
    pthread_mutex_lock(&lock);
    while (turn != own)
        pthread_cond_wait(&changed, &lock); // deadlock
    turn = next;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void *second(void *argument) {
    take(1, 2);
    return argument;
}

static void *third(void *argument) {
    take(2, 3);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, second, NULL);
    pthread_create(&threads[1], NULL, third, NULL);
    take(0, 1);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
