// expect: safe
// reason: The whole body is one atomic region by its name, also where the compiler is told to put it into the place of calls.
// size: small
// optimised: -O2 puts the body into the place of the calls before its name is seen, and no region is left
#include <assert.h>
#include <threads.h>

static int counter;

__attribute__((always_inline)) static inline void __VERIFIER_atomic_increment(void) {
    counter++;
}

static int start(void *unused) {
    (void)unused;
    __VERIFIER_atomic_increment();
    return 0;
}

int main(void) {
    thrd_t thread;
    thrd_create(&thread, start, 0);
    __VERIFIER_atomic_increment();
    thrd_join(thread, 0);
    assert(counter == 2);
    return 0;
}
