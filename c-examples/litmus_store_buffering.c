// expect: safe
// reason: Under sequential consistency one of the two stores is first, so one of the loads sees a
//   1.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile int x, y;
static int seen_x, seen_y;

static void *first(void *unused) {
    x = 1;
    seen_y = y;
    return unused;
}

static void *second(void *unused) {
    y = 1;
    seen_x = x;
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
