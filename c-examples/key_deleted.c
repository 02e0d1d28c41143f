// expect: safe
// reason: A key that was deleted is none, and no other key shows its values, whatever number it has.
// size: small
// optimised: same
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_key_t key, next;
static int value;

int main(void) {
    pthread_key_create(&key, 0);
    pthread_setspecific(key, &value);
    assert(pthread_key_delete(key) == 0);
    assert(pthread_key_delete(key) == EINVAL);
    assert(pthread_setspecific(key, &value) == EINVAL);
    pthread_key_create(&next, 0);
    assert(pthread_getspecific(next) == 0);
}
