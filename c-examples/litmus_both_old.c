// expect: unsafe
// reason: Each thread loads before it stores, so both can see the old values.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile int x, y;
static int seen_x, seen_y;

static void *first(void *unused) {
    seen_y = y;
    x = 1;
    return unused;
}

static void *second(void *unused) {
    seen_x = x;
    y = 1;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(seen_x || seen_y);
    return 0;
}
