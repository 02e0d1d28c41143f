// expect: safe
// reason: Increments may be lost, but the result of three rounds each lies between 2 and 6: the
//   last store of one thread is preceded by a load after its own earlier store or after the
//   other's.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile int counter;

static void *work(void *unused) {
    for (int i = 0; i < 3; i++)
        counter++;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter >= 2 && counter <= 6);
    return 0;
}
