// expect: safe
// reason: The thread-local variables of a thread are alive while its destructors run.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static _Thread_local int own;
static int result;

static void destroy(void *value) {
    assert(value == &own);
    result = own;
}

static void *work(void *unused) {
    own = 3;
    pthread_setspecific(key, &own);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, destroy);
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(result == 3);
    return 0;
}
