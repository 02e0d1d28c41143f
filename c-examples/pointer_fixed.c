// expect: safe
// reason: Nobody calls the function that would set another source, so both threads read the first one.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static int one(void) {
    return 1;
}

static int (*source)(void) = one;

void set_source(int (*other)(void)) {
    source = other;
}

static void *work(void *unused) {
    assert(source() == 1);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    return 0;
}
