// expect: safe
// reason: Lamport's fast mutual exclusion: on the fast path x still holds the own number and y was
//   free; on the slow path a thread waits until every busy flag is down and enters only if y holds
//   its number.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile unsigned char busy[3];
static volatile unsigned char x, y;
static volatile int inside;

static void enter_and_leave(unsigned char me) {
    for (;;) {
        busy[me] = 1;
        x = me;
        if (y != 0) {
            busy[me] = 0;
            while (y != 0) {
            }
            continue;
        }
        y = me;
        if (x == me)
            break;
        busy[me] = 0;
        while (busy[1]) {
        }
        while (busy[2]) {
        }
        if (y == me)
            break;
        while (y != 0) {
        }
    }
    inside = me;
    assert(inside == me);
    y = 0;
    busy[me] = 0;
}

static void *first(void *unused) {
    for (;;)
        enter_and_leave(1);
    return unused;
}

static void *second(void *unused) {
    for (;;)
        enter_and_leave(2);
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
