// expect: safe
// reason: Only a thread that got the spin lock gives it back.
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
    if (pthread_spin_trylock(&lock) == 0) {
        shared++;
        pthread_spin_unlock(&lock);
    }
    pthread_join(thread, NULL);
    return 0;
}
