// expect: unsafe
// reason: The checker may read between the two writes of a setter.
// options: --threads 2 --property unreach-call
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif

static volatile int a, b;

static void *set(void *unused) {
    a = 1;
    b = -1;
    return unused;
}

static void *check(void *unused) {
    int first = a, second = b;
    assert((first == 0 && second == 0) || (first == 1 && second == -1));
    return unused;
}

int main(void) {
    pthread_t setters[THREADS], checker;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&setters[i], 0, set, 0);
    pthread_create(&checker, 0, check, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(setters[i], 0);
    pthread_join(checker, 0);
    return 0;
}
