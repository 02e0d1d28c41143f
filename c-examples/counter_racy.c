// expect: unsafe
// reason: With two rounds each the final value can be as low as 2, because a thread may write back
//   a value that it read before everything else happened.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static int counter;

static void *work(void *unused) {
    for (int i = 0; i < 2; i++)
        counter++;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter > 2);
    return 0;
}
