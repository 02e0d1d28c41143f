// expect: unknown
// reason: Main destroys the barrier although a thread may still wait there for the others.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t both_there;

static void *work(void *unused) {
    pthread_barrier_wait(&both_there);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_barrier_init(&both_there, 0, 2);
    pthread_create(&a, 0, work, 0);
    assert(pthread_barrier_destroy(&both_there) == 0);
    pthread_join(a, 0);
}
