// expect: unknown
// reason: The thread unlocks a spin lock that main holds, and main may then unlock a free one.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;

static void *unlock(void *unused) {
    pthread_spin_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&lock);
    pthread_create(&a, 0, unlock, 0);
    pthread_join(a, 0);
    assert(pthread_spin_unlock(&lock) == 0);
}
