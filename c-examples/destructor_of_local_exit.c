// expect: unsafe
// reason: The variables of all functions that were not left are dead when the destructor runs.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

static void destroy(void *value) {
    ++*(volatile int *)value; // use after scope
}

static void leave(void) {
    volatile int own = 0;
    pthread_setspecific(key, (void *)&own);
    pthread_exit(0);
}

static void *work(void *unused) {
    leave();
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, destroy);
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
