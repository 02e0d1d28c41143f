// expect: safe
// reason: The waiting room closes its door, value 4, before any thread enters from it, and threads leave it in the
//   order of their numbers.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stage1, stage2;
static volatile int inside;

static void *first(void *unused) {
    stage1 = 1;
    while (stage2 >= 3) {
    }
    stage1 = 3;
    if (stage2 == 1) {
        stage1 = 2;
        while (stage2 != 4) {
        }
    }
    stage1 = 4;
    inside = 1;
    assert(inside == 1);
    int theirs;
    do {
        theirs = stage2;
    } while (theirs == 2 || theirs == 3);
    stage1 = 0;
    return unused;
}

static void *second(void *unused) {
    stage2 = 1;
    while (stage1 >= 3) {
    }
    stage2 = 3;
    if (stage1 == 1) {
        stage2 = 2;
        while (stage1 != 4) {
        }
    }
    stage2 = 4;
    while (stage1 >= 2) {
    }
    inside = 2;
    assert(inside == 2);
    stage2 = 0;
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
