// expect: unknown
// reason: The lock is taken only when the thread has made its access, but that it is taken orders nothing.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>

static pthread_spinlock_t lock;
static int last;

static void *note(void *argument) {
    last = 1;
    pthread_spin_lock(&lock);
    pthread_spin_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&thread, NULL, note, NULL);
    if (pthread_spin_trylock(&lock) == 0)
        pthread_spin_unlock(&lock);
    else
        last = 2; // no order by the failed try
    pthread_join(thread, NULL);
    return last;
}
