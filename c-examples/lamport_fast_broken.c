// expect: unsafe
// reason: The slow path does not wait for the busy flags, so it can see its number in y although a
//   thread on the fast path, which has read y as free before, is about to enter.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile unsigned char x, y;
static volatile int inside;

static void enter_and_leave(unsigned char me) {
    for (;;) {
        x = me;
        if (y != 0)
            continue;
        y = me;
        if (x == me)
            break;
        if (y == me)
            break;
        while (y != 0) {
        }
    }
    inside = me;
    assert(inside == me);
    y = 0;
}

static void *first(void *unused) {
    for (;;)
        enter_and_leave(1);
    return unused;
}

static void *second(void *unused) {
    for (;;)
        enter_and_leave(2);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
