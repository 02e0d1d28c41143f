// expect: unsafe
// reason: The destructor needs five rounds, and an implementation may stop after four.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int runs;

static void destroy(void *value) {
    runs++;
    if (runs < 5)
        pthread_setspecific(key, value);
}

static void *work(void *unused) {
    pthread_setspecific(key, &runs);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, destroy);
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(runs == 5);
    return 0;
}
