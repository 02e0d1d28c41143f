// expect: safe
// reason: A thread enters only after it saw the flag of the other one down while its own was up.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants1, wants2, turn = 1;
static volatile int inside;

static void *first(void *unused) {
    wants1 = 1;
    while (wants2)
        if (turn != 1) {
            wants1 = 0;
            while (turn != 1) {
            }
            wants1 = 1;
        }
    inside = 1;
    assert(inside == 1);
    turn = 2;
    wants1 = 0;
    return unused;
}

static void *second(void *unused) {
    wants2 = 1;
    while (wants1)
        if (turn != 2) {
            wants2 = 0;
            while (turn != 2) {
            }
            wants2 = 1;
        }
    inside = 2;
    assert(inside == 2);
    turn = 1;
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
