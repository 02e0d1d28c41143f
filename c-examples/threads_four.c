// expect: safe
// reason: Four threads add their numbers atomically; four is one more than the default limit for a
//   site in a loop.
// options: --threads 4
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int sum;

static void *add(void *number) {
    atomic_fetch_add(&sum, (int)(intptr_t)number);
    return 0;
}

int main(void) {
    pthread_t t[4];
    for (intptr_t i = 0; i < 4; i++)
        pthread_create(&t[i], 0, add, (void *)(i + 1));
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    assert(atomic_load(&sum) == 10);
    return 0;
}
