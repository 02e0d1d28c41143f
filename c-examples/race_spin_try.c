// expect: safe
// reason: A thread that does not get the lock leaves the variable alone.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>

static pthread_spinlock_t lock;
static int last;

static void *note(void *argument) {
    pthread_spin_lock(&lock);
    last = 1;
    pthread_spin_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&thread, NULL, note, NULL);
    if (pthread_spin_trylock(&lock) == 0) {
        last = 2;
        pthread_spin_unlock(&lock);
    }
    pthread_join(thread, NULL);
    return last;
}
