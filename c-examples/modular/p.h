// P1 and P2: three threads change `x` and `y` under a lock of each, with N statements in each of four blocks. In P2,
// where RACE is defined, one of them changes `y` once without its lock.
#include <assert.h>
#include <pthread.h>

#include "repeat.h"

static pthread_mutex_t lock_x = PTHREAD_MUTEX_INITIALIZER, lock_y = PTHREAD_MUTEX_INITIALIZER;
static volatile int x = 2, y = 2;

static void *mix(void *unused) {
    int a;
    pthread_mutex_lock(&lock_x);
    a = x;
    pthread_mutex_lock(&lock_y);
    TIMES(y = y + a;)
    pthread_mutex_unlock(&lock_y);
    a = a + 1;
    pthread_mutex_lock(&lock_y);
    TIMES(y = y + a;)
    pthread_mutex_unlock(&lock_y);
    x = 2 * x + a;
    pthread_mutex_unlock(&lock_x);
    return unused;
}

static void *raise_x(void *unused) {
    pthread_mutex_lock(&lock_x);
    TIMES(x = x + 2;)
    pthread_mutex_unlock(&lock_x);
    return unused;
}

static void *raise_y(void *unused) {
    pthread_mutex_lock(&lock_y);
    TIMES(y = y + 2;)
    pthread_mutex_unlock(&lock_y);
#ifdef RACE
    y = y + 1;
#endif
    return unused;
}

// If `raise_x` came between `a = x` and the end of `mix`, `x` would be 7 + 4 * N.
int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, mix, NULL);
    pthread_create(&b, NULL, raise_x, NULL);
    pthread_create(&c, NULL, raise_y, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(x != 7 + 4 * N);
    return 0;
}
