// expect: unknown
// reason: The first number is that of no address; where the table lies low, it wraps around and is the larger one.
// size: small
// optimised: LLVM takes a table for one that no pointer before it wraps around
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

typedef uintptr_t pair __attribute__((vector_size(16)));

static char table[16];
static _Atomic int number;

static void *choose(void *unused) {
    number = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, choose, 0);
    pair bounds = {(uintptr_t)(table - 5000), (uintptr_t)table};
    assert(number == 2 || bounds[0] < bounds[1]);
    pthread_join(thread, 0);
    return 0;
}
