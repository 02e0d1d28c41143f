// expect: unknown
// reason: The semaphore is a local that is never initialised. It may look as if it had a value, but such a run is undefined where the
//   semaphore is used, before the assertion.
// size: small
// optimised: same
#include <assert.h>
#include <semaphore.h>

static int taken;

int main(void) {
    sem_t semaphore;
    if (sem_trywait(&semaphore) == 0)
        taken = 1;
    assert(!taken);
}
