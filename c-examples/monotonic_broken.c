// expect: unsafe
// reason: With two writers a late store of an old sum takes the counter back.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile int counter;

static void *increase(void *unused) {
    for (int i = 0; i < 2; i++)
        counter++;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, increase, 0);
    pthread_create(&b, 0, increase, 0);
    int first = counter;
    int second = counter;
    assert(first <= second);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
