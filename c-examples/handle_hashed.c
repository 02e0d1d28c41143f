// expect: safe
// reason: Threads that count in the same stripe, which their handles decide, take the lock of that stripe.
// size: large
// optimised: same
#include <assert.h>
#include <pthread.h>

static struct stripe {
    pthread_mutex_t lock;
    int count;
} stripes[2] = {{PTHREAD_MUTEX_INITIALIZER, 0}, {PTHREAD_MUTEX_INITIALIZER, 0}};

static void *count(void *unused) {
    struct stripe *own = &stripes[(pthread_self() >> 12) % 2];
    pthread_mutex_lock(&own->lock);
    own->count++;
    pthread_mutex_unlock(&own->lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, count, 0);
    pthread_create(&b, 0, count, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(stripes[0].count + stripes[1].count == 2);
    return 0;
}
