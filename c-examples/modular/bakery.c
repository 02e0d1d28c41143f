// expect: safe
// reason: Tickets are drawn while the flag is up, and a thread waits for a thread that draws before it compares; the
//   first thread goes first if tickets are equal.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int draws1, draws2;
static atomic_int ticket1, ticket2;
static volatile int inside;

static void *first(void *unused) {
    draws1 = 1;
    int last = ticket2;
    ticket1 = last + 1;
    draws1 = 0;
    while (draws2) {
    }
    int theirs;
    do {
        theirs = ticket2;
    } while (theirs != 0 && theirs < ticket1);
    inside = 1;
    assert(inside == 1);
    ticket1 = 0;
    return unused;
}

static void *second(void *unused) {
    draws2 = 1;
    int last = ticket1;
    ticket2 = last + 1;
    draws2 = 0;
    while (draws1) {
    }
    int theirs;
    do {
        theirs = ticket1;
    } while (theirs != 0 && theirs <= ticket2);
    inside = 2;
    assert(inside == 2);
    ticket2 = 0;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
