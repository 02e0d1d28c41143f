// expect: safe
// reason: `lock xadd` gives what was there before, to each thread another number.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static int counter;
static int numbers[2];

static int next(void) {
    int old = 1;
    __asm__ volatile("lock xaddl %0, %1" : "+r"(old), "+m"(counter) : : "memory", "cc");
    return old;
}

static void *take(void *argument) {
    *(int *)argument = next();
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, take, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(numbers[0] != numbers[1]);
    return 0;
}
