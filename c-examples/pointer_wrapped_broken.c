// expect: unknown
// reason: So many elements have no address: the distance in bytes wraps around, and the end is the start on a machine.
// size: small
// optimised: LLVM takes a distance that wraps around for none, or the pointer for another one
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static long table[4];
static _Atomic size_t count = 2;

static void *enlarge(void *unused) {
    count = (size_t)1 << 61;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, enlarge, 0);
    long *end = table + count;
    assert(end != table);
    pthread_join(thread, 0);
    return 0;
}
