// expect: safe
// reason: The literal is read in the function whose block it belongs to, in each call anew.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

struct range {
    int first, last;
};

__attribute__((always_inline)) static inline int end_from(int first) {
    const struct range *range = &(struct range){first, first + 9};
    return range->last;
}

static void *check(void *argument) {
    for (int round = 0; round < 2; round++)
        assert(end_from(*(int *)argument + round) == 12 + round);
    return 0;
}

int main(void) {
    int first = 3;
    pthread_t thread;
    pthread_create(&thread, 0, check, &first);
    pthread_join(thread, 0);
    return 0;
}
