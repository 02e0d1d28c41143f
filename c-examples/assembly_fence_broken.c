// expect: unsafe
// reason: A fence orders accesses and makes nothing atomic: both threads may find the lock free before one of them takes it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static int lock, counter;

static int take(void) {
    int seen = *(volatile int *)&lock;
    __asm__ volatile("mfence" : : : "memory");
    *(volatile int *)&lock = 1;
    return seen;
}

static void *work(void *unused) {
    while (take())
        __asm__ volatile("rep; nop" : : : "memory");
    int seen = counter;
    counter = seen + 1;
    *(volatile int *)&lock = 0;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
