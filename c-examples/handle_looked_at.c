// expect: safe
// reason: Looking at the bytes of a handle leaves it as it is.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

static int done;

static void *work(void *argument) {
    done = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    uint32_t halves[2];
    pthread_create(&thread, 0, work, 0);
    memcpy(halves, &thread, sizeof halves);
    uint32_t low = halves[0];
    pthread_join(thread, 0);
    assert(done && low == halves[0]);
    return 0;
}
