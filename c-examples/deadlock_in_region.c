// expect: unknown
// reason: A thread would wait for good inside of an atomic region, where deadlocks are not looked for.
// options: --property no-deadlock
// size: small
// optimised: same
#include <semaphore.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static sem_t posts;

int main(void) {
    sem_init(&posts, 0, 0);
    __VERIFIER_atomic_begin();
    sem_wait(&posts); // unsupported
    __VERIFIER_atomic_end();
    return 0;
}
