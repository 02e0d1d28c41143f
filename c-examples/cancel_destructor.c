// expect: safe
// reason: The destructor runs whether the thread ends by itself or is cancelled, and is not cancelled itself.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int value = 5, destroyed;

static void destroy(void *content) {
    destroyed = *(int *)content;
    pthread_testcancel();
    destroyed++;
}

static void *work(void *result) {
    pthread_setspecific(key, &value);
    pthread_cancel(pthread_self());
    return result;
}

int main(void) {
    pthread_t t;
    void *result;
    pthread_key_create(&key, destroy);
    pthread_create(&t, 0, work, &value);
    pthread_join(t, &result);
    assert(destroyed == 6 && result == &value);
    return 0;
}
