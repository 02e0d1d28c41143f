// expect: unsafe
// reason: The sum is 80000, of which 16 bits hold 14464 and not one more.
// options: --threads 4 --property unreach-call
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic unsigned short count;

static void *add(void *argument) {
    atomic_fetch_add(&count, 20000);
    return argument;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, add, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    assert(count == 14465);
}
