// expect: unsafe
// reason: The thread gives the spin lock back although the other one may hold it.
// options: --property no-lock-misuse
// size: small
// optimised: same
#include <pthread.h>
#include <stddef.h>

static pthread_spinlock_t lock;
static int shared;

static void *work(void *argument) {
    pthread_spin_lock(&lock);
    shared++;
    pthread_spin_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&thread, NULL, work, NULL);
    if (pthread_spin_trylock(&lock) == 0)
        shared++;
    pthread_spin_unlock(&lock); // unlock of a spin lock that the thread does not hold
    pthread_join(thread, NULL);
    return 0;
}
