// expect: unsafe
// reason: Others need not run meanwhile.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int ran;

static void *run(void *argument) {
    ran = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    sched_yield();
    assert(ran);
    pthread_join(thread, NULL);
    return 0;
}
