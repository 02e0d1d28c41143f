// expect: safe
// reason: A thread enters only after it saw the other's flag down while its own was up; the turn
//   only decides who backs off when both flags are up.
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
    while (wants[other]) {
        if (turn == other) {
            wants[me] = 0;
            while (turn == other) {
            }
            wants[me] = 1;
        }
    }
    counter++;
    turn = other;
    wants[me] = 0;
}

static void *first(void *unused) {
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
    assert(counter == 2);
    return 0;
}
