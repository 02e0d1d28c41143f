// expect: unsafe
// reason: Without the choosing flags thread 0 can read the other's ticket as 0, wait, let thread 1
//   enter with ticket 1 and then take ticket 1 itself, which wins the tie.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile unsigned char ticket[2];
static volatile int counter;

static void add_one(int me) {
    int other = 1 - me;
    ticket[me] = (unsigned char)(ticket[other] + 1);
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
