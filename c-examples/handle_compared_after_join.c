// expect: safe
// reason: The two threads have different handles, because the second one is created before the first one is joined, and
//   main has had its own all the time.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static void *work(void *unused) {
    return unused;
}

int main(void) {
    pthread_t first, second, third;
    pthread_create(&first, 0, work, 0);
    pthread_create(&second, 0, work, 0);
    assert(!pthread_equal(first, second));
    pthread_join(first, 0);
    assert(first != pthread_self());
    pthread_create(&third, 0, work, 0);
    assert(second != third && !pthread_equal(third, pthread_self()));
    pthread_join(second, 0);
    pthread_join(third, 0);
    return 0;
}
