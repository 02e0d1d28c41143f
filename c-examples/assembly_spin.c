// expect: safe
// reason: The exchange of the lock is one instruction of x86, so one thread at a time finds it free; the pause only waits.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static int lock, counter;

static int exchange(int *place, int value) {
    __asm__ volatile("xchgl %0, %1" : "+r"(value), "+m"(*place) : : "memory");
    return value;
}

static void *work(void *unused) {
    while (exchange(&lock, 1))
        __asm__ volatile("rep; nop" : : : "memory");
    int seen = counter;
    counter = seen + 1;
    exchange(&lock, 0);
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
