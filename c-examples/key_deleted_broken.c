// expect: unsafe
// reason: The number of a deleted key may be used again.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_key_t key, next;

int main(void) {
    pthread_key_create(&key, 0);
    pthread_key_delete(key);
    pthread_key_create(&next, 0);
    assert(next != key);
}
