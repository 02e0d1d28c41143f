// expect: safe
// reason: Each thread takes away what it has added, so there are never more than three nor less than none.
// options: --threads 3 --property unreach-call
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint inside;

static void *visit(void *argument) {
    atomic_fetch_add(&inside, 1);
    unsigned others = atomic_load(&inside);
    assert(others >= 1 && others <= 3);
    atomic_fetch_sub(&inside, 1);
    return argument;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, visit, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(inside == 0);
}
