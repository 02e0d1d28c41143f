// expect: safe
// reason: One thread only ever increases the counter, up to 6, so of two reads in a row the second
//   is not smaller.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile int counter;

static void *increase(void *unused) {
    while (counter < 6)
        counter++;
    return unused;
}

static void *watch(void *unused) {
    int first = counter;
    int second = counter;
    assert(first <= second);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, increase, 0);
    pthread_create(&b, 0, watch, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
