// expect: unsafe
// reason: The object is freed while the other thread may still read it, and reading freed memory
//   has no defined meaning.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *look(void *argument) {
    volatile int *shared = argument;
    assert(*shared == 6); // use after free
    return 0;
}

int main(void) {
    volatile int *shared = malloc(sizeof *shared);
    if (!shared)
        abort();
    *shared = 6;
    pthread_t t;
    pthread_create(&t, 0, look, (void *)shared);
    free((void *)shared);
    pthread_join(t, 0);
    return 0;
}
