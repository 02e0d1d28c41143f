// expect: unsafe
// reason: Another thread sets another source through the address of the variable.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static int one(void) {
    return 1;
}

static int two(void) {
    return 2;
}

static int (*source)(void) = one;

static void *work(void *variable) {
    *(int (**)(void))variable = two;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, &source);
    assert(source() == 1);
    pthread_join(t, 0);
    return 0;
}
