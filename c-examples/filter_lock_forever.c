// expect: safe
// reason: As filter_lock.c, but the three threads enter again and again.
// size: medium
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile unsigned char level[3], victim[3];
static volatile int inside;

static void enter_and_leave(unsigned char me) {
    for (unsigned char l = 1; l < 3; l++) {
        level[me] = l;
        victim[l] = me;
        for (unsigned char k = 0; k < 3; k++) {
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
    static unsigned char numbers[3] = {0, 1, 2};
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, &numbers[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
