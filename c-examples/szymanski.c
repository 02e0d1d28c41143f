// expect: safe
// reason: The waiting room closes its door (value 4) before any thread enters from it, and threads
//   leave it in the order of their numbers; with two threads the order test is against the other
//   thread only.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile unsigned char stage[2];
static volatile int inside;

static void enter_and_leave(int me) {
    int other = 1 - me;
    stage[me] = 1;
    while (stage[other] >= 3) {
    }
    stage[me] = 3;
    if (stage[other] == 1) {
        stage[me] = 2;
        while (stage[other] != 4) {
        }
    }
    stage[me] = 4;
    if (me == 1) {
        while (stage[0] >= 2) {
        }
    }
    inside = me;
    assert(inside == me);
    if (me == 0) {
        unsigned char theirs;
        do {
            theirs = stage[1];
        } while (theirs == 2 || theirs == 3);
    }
    stage[me] = 0;
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
