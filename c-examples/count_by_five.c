// expect: safe
// reason: Whoever adds finds less than all have added, and main finds all of it.
// options: --threads 5 --property unreach-call
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count = 124;

static void *add(void *argument) {
    int before = atomic_fetch_add(&count, 1);
    assert(before >= 124 && before < 129);
    return argument;
}

int main(void) {
    pthread_t threads[5];
    for (int i = 0; i < 5; i++)
        pthread_create(&threads[i], 0, add, 0);
    for (int i = 0; i < 5; i++)
        pthread_join(threads[i], 0);
    assert(count == 129);
}
