// expect: safe
// reason: The only other thread is woken: the signal is no use to the one that waits later.
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
        pthread_cond_wait(&changed, &lock);
    turn = next;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void *second(void *argument) {
    take(1, 2);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, second, NULL);
    take(0, 1);
    take(2, 3);
    pthread_join(thread, NULL);
    return 0;
}
