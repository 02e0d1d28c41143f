// expect: safe
// reason: pthread_self in the new thread equals the handle that pthread_create stored, and differs
//   from main's.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_t seen;

static void *work(void *unused) {
    seen = pthread_self();
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(pthread_equal(seen, t));
    assert(!pthread_equal(seen, pthread_self()));
    return 0;
}
