// expect: unsafe
// reason: The consumers test only once before they wait; a spurious wake-up, or the other consumer
//   being faster, lets one take from an empty buffer.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int full;
static int item;

static void *produce(void *unused) {
    for (int value = 1; value <= 2; value++) {
        pthread_mutex_lock(&lock);
        while (full)
            pthread_cond_wait(&not_full, &lock);
        item = value;
        full = 1;
        pthread_cond_broadcast(&not_empty);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *consume(void *unused) {
    pthread_mutex_lock(&lock);
    if (!full)
        pthread_cond_wait(&not_empty, &lock);
    assert(item != 0);
    item = 0;
    full = 0;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t p, c, d;
    pthread_create(&p, 0, produce, 0);
    pthread_create(&c, 0, consume, 0);
    pthread_create(&d, 0, consume, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
    pthread_join(d, 0);
    return 0;
}
