// expect: safe
// reason: Each thread raises its flag before it gives the turn away, so of two waiting threads
//   exactly the one that gave the turn away first goes on. Both threads enter for ever.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile int wants[2];
static volatile int turn;
static volatile int inside;

static void enter_and_leave(int me) {
    int other = 1 - me;
    wants[me] = 1;
    turn = other;
    while (wants[other] && turn == other) {
    }
    inside = me;
    assert(inside == me);
    wants[me] = 0;
}

static void *first(void *unused) {
    for (;;)
        enter_and_leave(0);
    return unused;
}

static void *second(void *unused) {
    for (;;)
        enter_and_leave(1);
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
