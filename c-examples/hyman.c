// expect: unsafe
// reason: Hyman's algorithm is wrong: a thread may be interrupted between seeing the other's flag
//   down and taking the turn, while the other one, which has the turn, enters without looking.
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
    while (turn != me) {
        while (wants[other]) {
        }
        turn = me;
    }
    inside = me;
    assert(inside == me);
    wants[me] = 0;
}

static void *first(void *unused) {
    enter_and_leave(0);
    return unused;
}

static void *second(void *unused) {
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
