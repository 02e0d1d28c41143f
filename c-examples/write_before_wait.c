// expect: unsafe
// reason: A thread writes and then waits for a mutex that main never releases. The write must be
//   visible all the same: a reduction that swallows it together with the waiting would miss the
//   violation.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int written;

static void *work(void *unused) {
    written = 1;
    pthread_mutex_lock(&lock);
    written = 0;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&lock);
    pthread_create(&t, 0, work, 0);
    assert(!written);
    return 0;
}
