// expect: safe
// reason: A start routine that is called as a function ends no thread, and runs no destructors.
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

static struct {
    void *(*start)(void *);
} const job = {work};

int main(void) {
    pthread_t t;
    pthread_key_create(&key, destroy);
    work(0);
    assert(destroyed == 0);
    pthread_create(&t, 0, job.start, 0);
    pthread_join(t, 0);
    assert(destroyed == 1);
    return 0;
}
