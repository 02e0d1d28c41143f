// expect: unknown
// reason: What a deleted key holds is undefined.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

int main(void) {
    pthread_key_create(&key, 0);
    pthread_key_delete(key);
    assert(pthread_getspecific(key) == 0);
}
