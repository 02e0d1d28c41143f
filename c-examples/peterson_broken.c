// expect: unsafe
// reason: The turn is given away before the flag is raised, so a thread can pass while the other
//   one, which has already given the turn, has not raised its flag yet, and then the other passes
//   as well.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile int wants[2];
static volatile int turn;
static volatile int inside;

static void enter_and_leave(int me) {
    int other = 1 - me;
    turn = other;
    wants[me] = 1;
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
