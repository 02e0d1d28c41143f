// expect: unsafe
// reason: The handler may be called before the other thread has set it: a call through a null pointer.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

typedef int (*handler)(int);

static volatile handler current;

static int twice(int number) { return 2 * number; }

static void *set(void *argument) {
    current = twice;
    return argument;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    assert(current(4) == 8); // call through a null pointer
    pthread_join(t, 0);
    return 0;
}
