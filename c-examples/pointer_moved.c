// expect: unsafe
// reason: The pointers start out different, which would make the accesses commute, but the first
//   thread moves its pointer to the other's target before it writes again.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile int x, y;
static volatile int *volatile p = &x;

static void *first(void *unused) {
    *p = 1;
    p = &y;
    *p = 1;
    return unused;
}

static void *second(void *unused) {
    y = 2;
    assert(y == 2);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
