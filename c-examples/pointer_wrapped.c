// expect: safe
// reason: The end is asked for only of a number of elements that the table has.
// size: small
// optimised: same
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
    size_t size = count;
    long *end = table + (size <= 4 ? size : 4);
    assert(end != table);
    pthread_join(thread, 0);
    return 0;
}
