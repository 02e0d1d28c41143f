// expect: safe
// reason: Three philosophers take the fork with the smaller number first; a fork's owner field is
//   written only while its mutex is held, so everybody who eats owns both forks.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int owner[3];

static void eat(int me, int low, int high) {
    pthread_mutex_lock(&forks[low]);
    owner[low] = me;
    pthread_mutex_lock(&forks[high]);
    owner[high] = me;
    assert(owner[low] == me && owner[high] == me);
    pthread_mutex_unlock(&forks[high]);
    pthread_mutex_unlock(&forks[low]);
}

static void *plato(void *unused) {
    eat(1, 0, 1);
    return unused;
}

static void *hypatia(void *unused) {
    eat(2, 1, 2);
    return unused;
}

static void *zeno(void *unused) {
    eat(3, 0, 2);
    return unused;
}

int main(void) {
    pthread_t p, h, z;
    pthread_create(&p, 0, plato, 0);
    pthread_create(&h, 0, hypatia, 0);
    pthread_create(&z, 0, zeno, 0);
    pthread_join(p, 0);
    pthread_join(h, 0);
    pthread_join(z, 0);
    return 0;
}
