// expect: safe
// reason: The handler is called only once it is set.
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
    handler seen = current;
    if (seen)
        assert(seen(4) == 8);
    pthread_join(t, 0);
    return 0;
}
