// expect: unsafe
// reason: Each thread adds to the sum where it ends, and holds no lock there.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static volatile int sum;

static void add(void *value) {
    sum += *(int *)value;
}

static void *work(void *value) {
    pthread_setspecific(key, value);
    return 0;
}

int main(void) {
    static int one = 1, two = 2;
    pthread_t a, b;
    pthread_key_create(&key, add);
    pthread_create(&a, 0, work, &one);
    pthread_create(&b, 0, work, &two);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(sum == 3);
    return 0;
}
