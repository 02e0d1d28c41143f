// expect: unsafe
// reason: With two rounds each the final value can be as low as 2, because a thread may write back
//   a value that it read before everything else happened.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

static int counter;

static void *work(void *unused) {
    for (int i = 0; i < ROUNDS; i++)
        counter++;
    return unused;
}

int main(void) {
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    assert(counter > 2);
    return 0;
}
