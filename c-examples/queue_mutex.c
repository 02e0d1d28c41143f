// expect: safe
// reason: A ring under a mutex keeps the order of the single producer: the consumer sees 1 and then
//   2.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ring[2];
static unsigned head, tail;

static int try_put(int value) {
    int done = 0;
    pthread_mutex_lock(&lock);
    if (tail - head < 2) {
        ring[tail % 2] = value;
        tail++;
        done = 1;
    }
    pthread_mutex_unlock(&lock);
    return done;
}

static int try_get(int *value) {
    int done = 0;
    pthread_mutex_lock(&lock);
    if (tail != head) {
        *value = ring[head % 2];
        head++;
        done = 1;
    }
    pthread_mutex_unlock(&lock);
    return done;
}

static void *produce(void *unused) {
    for (int value = 1; value <= 3; value++) {
        while (!try_put(value)) {
        }
    }
    return unused;
}

static void *consume(void *unused) {
    int value = 0;
    for (int expected = 1; expected <= 3; expected++) {
        while (!try_get(&value)) {
        }
        assert(value == expected);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, produce, 0);
    pthread_create(&b, 0, consume, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
