// expect: unsafe
// reason: The new thread may look at its own handle before the thread that created it has stored it: an order
//   violation of initialisation and use.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define RUNNING 1

static atomic_bool must_start;
static atomic_int handle; // 0 until the creator has stored it
static int state;

static void *create(void *unused) {
    int created = RUNNING;
    must_start = true;
    handle = created;
    return unused;
}

static void *run(void *unused) {
    while (!must_start) {
    }
    state = handle;
    assert(state == RUNNING);
    return unused;
}

int main(void) {
    pthread_t creator, runner;
    pthread_create(&creator, NULL, create, NULL);
    pthread_create(&runner, NULL, run, NULL);
    pthread_join(creator, NULL);
    pthread_join(runner, NULL);
    return 0;
}
