// expect: unsafe
// reason: No object lies below 4096, so the pointer counts as one, and the number behind it is read before the thread has set it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static _Atomic(int *) slot;
static _Atomic int number;

static void *fill(void *unused) {
    static int content;
    slot = &content;
    number = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, fill, 0);
    if ((uintptr_t)slot >= 4096 && !((uintptr_t)slot < 4096))
        assert(number == 1);
    pthread_join(thread, 0);
    return 0;
}
