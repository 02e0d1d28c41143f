// expect: unknown
// reason: The low half of a pointer is changed atomically: what is added to, and so the result, is a part of the pointer's number.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

union word {
    int *pointer;
    _Atomic unsigned halves[2];
};

static int array[4];
static union word word = {array};

static void *advance(void *unused) {
    atomic_fetch_add(&word.halves[0], sizeof(int));
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, advance, 0);
    advance(0);
    pthread_join(thread, 0);
    assert(word.halves[0] == 2 * sizeof(int));
    return 0;
}
