// expect: unsafe
// reason: A philosopher who cannot get the second fork at once gives up, but eats all the same.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t forks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static volatile int owner[2];

static void eat(int me, int first, int second) {
    pthread_mutex_lock(&forks[first]);
    int got = pthread_mutex_trylock(&forks[second]) == 0;
    owner[first] = me;
    owner[second] = me;
    assert(owner[first] == me && owner[second] == me);
    if (got)
        pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
}

static void *plato(void *unused) {
    eat(1, 0, 1);
    return unused;
}

static void *zeno(void *unused) {
    eat(2, 1, 0);
    return unused;
}

int main(void) {
    pthread_t p, z;
    pthread_create(&p, 0, plato, 0);
    pthread_create(&z, 0, zeno, 0);
    pthread_join(p, 0);
    pthread_join(z, 0);
    return 0;
}
