// expect: safe
// reason: The return of main ends the process, and no destructor runs then.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

static void destroy(void *value) {
    assert(!value);
}

int main(void) {
    pthread_key_create(&key, destroy);
    pthread_setspecific(key, &key);
    return 0;
}
