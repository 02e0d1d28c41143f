// expect: unsafe
// reason: A spin lock and a mutex are taken in both orders.
// options: --property no-deadlock
// size: small
// optimised: same
#define _GNU_SOURCE
#include <pthread.h>

static pthread_spinlock_t spin;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument) {
    pthread_spin_lock(&spin);
    pthread_mutex_lock(&lock); // deadlock
    pthread_mutex_unlock(&lock);
    pthread_spin_unlock(&spin);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    pthread_spin_lock(&spin);
    pthread_spin_unlock(&spin);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    pthread_spin_destroy(&spin);
    return 0;
}
