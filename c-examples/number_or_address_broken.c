// expect: unknown
// reason: A start routine is given an address or a mark that is no address by accident only: some object may lie at 65536.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static int node;
static _Atomic int hits;

static void *count(void *argument) {
    if (argument == &node)
        hits++;
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, count, &node);
    pthread_create(&second, 0, count, (void *)0x10000);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(hits == 1);
    return 0;
}
