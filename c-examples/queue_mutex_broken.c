// expect: unsafe
// reason: Looking for a free place and filling it are two critical sections, so two producers can
//   fill the same place.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ring[2];
static unsigned tail;

static void put(int value) {
    pthread_mutex_lock(&lock);
    unsigned place = tail % 2;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    ring[place] = value;
    tail++;
    pthread_mutex_unlock(&lock);
}

static void *produce(void *value) {
    put(*(int *)value);
    return 0;
}

int main(void) {
    static int values[2] = {1, 2};
    pthread_t a, b;
    pthread_create(&a, 0, produce, &values[0]);
    pthread_create(&b, 0, produce, &values[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(tail == 2);
    assert(ring[0] + ring[1] == 3);
    return 0;
}
