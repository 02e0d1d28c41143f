// expect: safe
// reason: The counter of 32 bits wraps around to 0 at the first of two increments. In LP64 it has 64 bits, and does not.
// options: --data-model=ILP32
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static unsigned long ticks = 0xffffffff;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *tick(void *unused) {
    pthread_mutex_lock(&lock);
    ticks++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, tick, 0);
    pthread_create(&b, 0, tick, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(ticks == 1);
    return 0;
}
