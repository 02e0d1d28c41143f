// expect: unknown
// reason: A semaphore has no static initialiser: zero bytes are none, although they look like the
//   value 0.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

int main(void) {
    assert(sem_trywait(&semaphore) == -1);
}
