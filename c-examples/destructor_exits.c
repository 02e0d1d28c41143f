// expect: unknown
// reason: A destructor that ends the thread is undefined.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

static void destroy(void *value) {
    pthread_exit(value);
}

static void *work(void *unused) {
    pthread_setspecific(key, &key);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, destroy);
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
