// expect: unsafe
// reason: The spin lock is initialised again while no thread holds it, so it can be taken.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock, *volatile place = &lock;

int main(void) {
    pthread_spin_init(place, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(place);
    pthread_spin_unlock(place);
    pthread_spin_init(place, PTHREAD_PROCESS_PRIVATE);
    assert(pthread_spin_trylock(place) != 0);
}
