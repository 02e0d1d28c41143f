// expect: safe
// reason: The flag is atomic, and the other thread waits for it before it reads.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;
static int result;

static void *compute(void *argument) {
    result = 6 * 7;
    done = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    int seen = -1;
    pthread_create(&thread, NULL, compute, NULL);
    if (done)
        seen = result;
    pthread_join(thread, NULL);
    return seen;
}
