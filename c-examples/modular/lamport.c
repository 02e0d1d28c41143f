// expect: safe
// reason: Lamport's fast mutual exclusion. On the fast path `x` still holds the own number and `y` was free; on the
//   slow path a thread waits until the flag of the other one is down, and enters only if `y` holds its number.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y; // 0, or the number of a thread
static atomic_int busy1, busy2;
static volatile int inside;

static void *first(void *unused) {
    for (;;) {
        busy1 = 1;
        x = 1;
        if (y != 0) {
            busy1 = 0;
            while (y != 0) {
            }
            continue;
        }
        y = 1;
        if (x == 1)
            break;
        busy1 = 0;
        while (busy2 != 0) {
        }
        if (y == 1)
            break;
        while (y != 0) {
        }
    }
    inside = 1;
    assert(inside == 1);
    y = 0;
    busy1 = 0;
    return unused;
}

static void *second(void *unused) {
    for (;;) {
        busy2 = 1;
        x = 2;
        if (y != 0) {
            busy2 = 0;
            while (y != 0) {
            }
            continue;
        }
        y = 2;
        if (x == 2)
            break;
        busy2 = 0;
        while (busy1 != 0) {
        }
        if (y == 2)
            break;
        while (y != 0) {
        }
    }
    inside = 2;
    assert(inside == 2);
    y = 0;
    busy2 = 0;
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
