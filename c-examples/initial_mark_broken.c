// expect: unsafe
// reason: The slot that starts with a mark for none may have been filled by the other thread.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

#define NONE ((int *)-1)

static int value;
static int *_Atomic slot = (int *)-1;

static void *fill(void *unused) {
    slot = &value;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, fill, 0);
    assert(slot == NONE);
    pthread_join(thread, 0);
    return 0;
}
