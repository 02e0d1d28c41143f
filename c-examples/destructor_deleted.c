// expect: safe
// reason: A key that was deleted has no destructor.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

static void destroy(void *value) {
    assert(!value);
}

static void *work(void *unused) {
    pthread_setspecific(key, &key);
    pthread_key_delete(key);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, destroy);
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
