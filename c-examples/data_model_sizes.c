// expect: safe
// reason: `long`, sizes, pointers and handles have four bytes in ILP32. In LP64 they have eight.
// options: --data-model=ILP32
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void *nothing(void *argument) {
    return argument;
}

int main(void) {
    struct {
        pthread_t thread;
        int behind;
    } kept = {0, 7};
    pthread_create(&kept.thread, 0, nothing, 0);
    pthread_join(kept.thread, 0);
    assert(kept.behind == 7);
    assert(sizeof(long) == 4 && sizeof(size_t) == 4 && sizeof(void *) == 4 && sizeof(pthread_t) == 4);
    return 0;
}
