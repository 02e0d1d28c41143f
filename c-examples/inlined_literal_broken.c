// expect: unsafe
// reason: The literal is gone when the function has returned its address, also if the compiler puts the function's body in its place.
// size: small
// optimised: clang marks no lifetime of literals, and no block is left of optimised code
#include <assert.h>
#include <pthread.h>

#pragma clang diagnostic ignored "-Wreturn-stack-address"

struct range {
    int first, last;
};

__attribute__((always_inline)) static inline const struct range *from(int first) {
    return &(struct range){first, first + 9};
}

static void *check(void *argument) {
    const struct range *range = from(*(int *)argument);
    assert(range->last == 12); // use after scope
    return 0;
}

int main(void) {
    int first = 3;
    pthread_t thread;
    pthread_create(&thread, 0, check, &first);
    pthread_join(thread, 0);
    return 0;
}
