// expect: unknown
// reason: The second thread may get the handle of the first one, because that was joined before.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static void *work(void *unused) {
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, work, 0);
    pthread_join(first, 0);
    pthread_create(&second, 0, work, 0);
    assert(!pthread_equal(first, second));
    pthread_join(second, 0);
    return 0;
}
