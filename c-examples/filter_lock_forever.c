// expect: safe
// reason: As filter_lock.c, but the three threads enter again and again.
// size: medium
// optimised: same
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 3
#endif

static volatile unsigned char level[THREADS], victim[THREADS];
static volatile int inside;

static void enter_and_leave(unsigned char me) {
    for (unsigned char l = 1; l < THREADS; l++) {
        level[me] = l;
        victim[l] = me;
        for (unsigned char k = 0; k < THREADS; k++) {
            if (k == me)
                continue;
            while (level[k] >= l && victim[l] == me) {
            }
        }
    }
    inside = me;
    assert(inside == me);
    level[me] = 0;
}

static void *work(void *number) {
    for (;;)
        enter_and_leave(*(unsigned char *)number);
    return 0;
}

int main(void) {
    static unsigned char numbers[THREADS];
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        pthread_create(&t[i], 0, work, &numbers[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}
