// expect: unknown
// reason: The thread is created with attributes that are never initialised. They may look as if they were, but such a run is undefined
//   where the thread is created, before its assertion.
// size: large
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int ready;

static void *work(void *unused) {
    assert(ready);
    return unused;
}

int main(void) {
    pthread_attr_t attributes;
    pthread_t worker;
    if (pthread_create(&worker, &attributes, work, NULL) != 0)
        return 1;
    ready = 1;
    pthread_join(worker, NULL);
}
