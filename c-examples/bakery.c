// expect: safe
// reason: Tickets are drawn while the choosing flag is up, and everybody waits for the choosers
//   before comparing; equal tickets are ordered by thread number.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile unsigned char choosing[2], ticket[2];
static volatile int counter;

static void add_one(int me) {
    int other = 1 - me;
    choosing[me] = 1;
    ticket[me] = (unsigned char)(ticket[other] + 1);
    choosing[me] = 0;
    while (choosing[other]) {
    }
    for (;;) {
        unsigned char theirs = ticket[other];
        unsigned char mine = ticket[me];
        if (theirs == 0 || theirs > mine || (theirs == mine && other > me))
            break;
    }
    counter++;
    ticket[me] = 0;
}

static void *first(void *unused) {
    add_one(0);
    add_one(0);
    return unused;
}

static void *second(void *unused) {
    add_one(1);
    add_one(1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 4);
    return 0;
}
