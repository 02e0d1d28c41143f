// expect: unknown
// reason: A half of the handle is changed, so what is joined is no thread.
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
    halves[1]++;
    memcpy(&thread, halves, sizeof thread);
    pthread_join(thread, 0);
    assert(done);
    return 0;
}
