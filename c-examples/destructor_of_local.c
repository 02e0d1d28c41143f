// expect: unsafe
// reason: The variable of the start routine is dead when the destructor runs.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

static void destroy(void *value) {
    ++*(volatile int *)value; // use after scope
}

static void *work(void *unused) {
    volatile int own = 0;
    pthread_setspecific(key, (void *)&own);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, destroy);
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
