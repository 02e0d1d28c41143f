// expect: safe
// reason: Burns' one-bit algorithm for two threads: the second thread backs off whenever the first
//   one's flag is up, and the first one waits for the second one's flag.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile int flag[2];
static volatile int inside;

static void *first(void *unused) {
    for (;;) {
        flag[0] = 1;
        while (flag[1]) {
        }
        inside = 1;
        assert(inside == 1);
        flag[0] = 0;
    }
    return unused;
}

static void *second(void *unused) {
    for (;;) {
        flag[1] = 0;
        while (flag[0]) {
        }
        flag[1] = 1;
        if (flag[0])
            continue;
        inside = 2;
        assert(inside == 2);
        flag[1] = 0;
    }
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
