// expect: unsafe
// reason: The counter of 32 bits wraps around, so what was later is less. In LP64 it has 64 bits, and does not.
// options: --data-model=ILP32
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static unsigned long now = 0xfffffffe;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *tick(void *unused) {
    pthread_mutex_lock(&lock);
    now += 3;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&lock);
    unsigned long before = now;
    pthread_mutex_unlock(&lock);
    pthread_create(&thread, 0, tick, 0);
    pthread_join(thread, 0);
    assert(before < now);
    return 0;
}
