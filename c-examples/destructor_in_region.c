// expect: unknown
// reason: The thread ends inside of an atomic region, and what its destructor would do there is not supported.
// size: small
// optimised: same
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);

static pthread_key_t key;
static volatile int number;

static void destroy(void *value) {
    (void)value;
    number++;
}

static void *work(void *unused) {
    pthread_setspecific(key, &key);
    __VERIFIER_atomic_begin();
    pthread_exit(unused);
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, destroy);
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
