// expect: unsafe
// reason: After it backed off, a thread enters without a second look at the other's flag, so both
//   may be in the critical section and one increment is lost. It takes two rounds, because the turn
//   must come back.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile int wants[2];
static volatile int turn;
static volatile int counter;

static void add_one(int me) {
    int other = 1 - me;
    wants[me] = 1;
    if (wants[other]) {
        if (turn == other) {
            wants[me] = 0;
            while (turn == other) {
            }
            wants[me] = 1;
        } else {
            while (wants[other]) {
            }
        }
    }
    counter++;
    turn = other;
    wants[me] = 0;
}

static void *first(void *unused) {
    add_one(0);
    add_one(0);
    return unused;
}

static void *second(void *unused) {
    add_one(1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 3);
    return 0;
}
