// expect: safe
// reason: No thread reads the other's value before both have passed the barrier, and so have
//   written theirs.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t both_there;
static int value[2];

static void *first(void *unused) {
    value[0] = 1;
    pthread_barrier_wait(&both_there);
    assert(value[1] == 2);
    return unused;
}

static void *second(void *unused) {
    value[1] = 2;
    pthread_barrier_wait(&both_there);
    assert(value[0] == 1);
    return unused;
}

int main(void) {
    pthread_barrier_init(&both_there, 0, 2);
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_barrier_destroy(&both_there);
    return 0;
}
