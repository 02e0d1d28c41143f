// expect: unsafe
// reason: Main chooses the length of the array, and if that is 1 both workers add to its only element.
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
    int length = __VERIFIER_nondet_bool() ? 1 : 3;
    int counts[length];
    counts[0] = 1;
    counts[length - 1] = 1;
    pthread_t first, last;
    pthread_create(&first, 0, worker, &counts[0]);
    pthread_create(&last, 0, worker, &counts[length - 1]);
    pthread_join(first, 0);
    pthread_join(last, 0);
    assert(counts[0] + counts[length - 1] == 4);
    return 0;
}
