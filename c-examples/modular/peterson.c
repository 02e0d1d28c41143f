// expect: safe
// reason: Each thread raises its flag before it gives the turn away, so of two waiting threads exactly the one that
//   gave the turn away first goes on.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants1, wants2, turn;
static volatile int inside;

static void *first(void *unused) {
    wants1 = 1;
    turn = 2;
    while (wants2 && turn == 2) {
    }
    inside = 1;
    assert(inside == 1);
    wants1 = 0;
    return unused;
}

static void *second(void *unused) {
    wants2 = 1;
    turn = 1;
    while (wants1 && turn == 1) {
    }
    inside = 2;
    assert(inside == 2);
    wants2 = 0;
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
