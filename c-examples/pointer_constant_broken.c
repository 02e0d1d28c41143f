// expect: unknown
// reason: A pointer far before the table has no value in C; where the table lies low, its number wraps around.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static int table[4];
static int *_Atomic limit = table;

static void *lower(void *unused) {
    limit = table - 3000;
    return unused;
}

int main(void) {
    pthread_t thread;
    int *far = table - 3000;
    pthread_create(&thread, 0, lower, 0);
    assert(far < table);
    assert(limit <= table);
    pthread_join(thread, 0);
    return 0;
}
