// expect: unknown
// reason: POSIX leaves open what a thread does that takes a spin lock which it holds: it need not wait for ever.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_spinlock_t lock;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&lock);
    pthread_spin_lock(&lock);
    assert(0);
}
