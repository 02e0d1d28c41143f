// expect: unsafe
// reason: Nothing protects the sum: one worker may write over what the other one added.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static double level = 1.5;

static void *work(void *unused) {
    (void)unused;
    level += 0.25;
    return 0;
}

int main(void) {
    pthread_t workers[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(workers[i], 0);
    assert(level == 2.0);
    return 0;
}
