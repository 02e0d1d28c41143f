// expect: unsafe
// reason: The two reads of a plain variable are two steps, and the writer can come between them.
// size: small
// optimised: -O2 may read once for both, and then the assertion cannot fail
#include <assert.h>
#include <pthread.h>

static int value;

static void *write_value(void *unused) {
    value = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, write_value, 0);
    int first = value;
    int second = value;
    assert(first == second);
    pthread_join(t, 0);
    return 0;
}
