// expect: safe
// reason: A copy of a handle has the same bytes.
// size: large
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_t runner;

static void *run(void *unused) {
    pthread_t self = pthread_self();
    runner = self;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    assert(memcmp(&thread, &runner, sizeof thread) == 0);
    return 0;
}
