// expect: safe
// reason: Each thread adds 1 by compare-and-swap, again if the other one was faster; the last reference is dropped once.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static long counter;
static int references = 2, dropped;

static long swap(long expected, long value) {
    long old;
    __asm__ volatile("lock; cmpxchgq %2, %1" : "=a"(old), "+m"(counter) : "r"(value), "0"(expected) : "memory");
    return old;
}

static int drop(void) {
    unsigned char last;
    __asm__ volatile("lock; decl %0; sete %1" : "+m"(references), "=qm"(last) : : "memory");
    return last;
}

static void *work(void *unused) {
    long seen = *(volatile long *)&counter, old;
    while ((old = swap(seen, seen + 1)) != seen)
        seen = old;
    if (drop())
        dropped++;
    return unused;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, work, 0);
    work(0);
    pthread_join(other, 0);
    assert(counter == 2 && dropped == 1);
    return 0;
}
