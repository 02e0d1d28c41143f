// expect: unsafe
// reason: The other thread goes on while what is registered runs.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static volatile int number;

static void check(void) {
    int before = number;
    assert(number == before);
}

static void *work(void *unused) {
    number = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    atexit(check);
    pthread_create(&t, 0, work, 0);
    exit(0);
}
