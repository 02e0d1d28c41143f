// expect: unsafe
// reason: The barrier is freed without being destroyed, and so perhaps while the other thread still
//   looks at it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t *both_there;

static void meet(void) {
    if (pthread_barrier_wait(both_there)) // use after free
        free(both_there);
}

static void *work(void *unused) {
    meet();
    return unused;
}

int main(void) {
    pthread_t a;
    both_there = malloc(sizeof *both_there);
    pthread_barrier_init(both_there, 0, 2);
    pthread_create(&a, 0, work, 0);
    meet();
    pthread_join(a, 0);
    assert(1);
}
