// expect: unsafe
// reason: The start routine of the second thread calls that of the first, whose value is destroyed only when the thread ends.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int destroyed;

static void destroy(void *value) {
    (void)value;
    destroyed++;
}

static void *work(void *unused) {
    pthread_setspecific(key, &key);
    return unused;
}

static void *call_work(void *unused) {
    work(unused);
    assert(destroyed == 1);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, destroy);
    pthread_create(&t, 0, call_work, 0);
    pthread_join(t, 0);
    return 0;
}
