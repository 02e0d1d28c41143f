// expect: safe
// reason: The workers add to the first and the last element of an array whose length main chooses; main waits for both.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

static void *worker(void *element) {
    *(int *)element += 1;
    return 0;
}

int main(void) {
    int length = __VERIFIER_nondet_bool() ? 2 : 3;
    int counts[length];
    counts[0] = 1;
    counts[length - 1] = 2;
    pthread_t first, last;
    pthread_create(&first, 0, worker, &counts[0]);
    pthread_create(&last, 0, worker, &counts[length - 1]);
    pthread_join(first, 0);
    pthread_join(last, 0);
    assert(counts[0] + counts[length - 1] == 5);
    return 0;
}
