// expect: safe
// reason: Both pointers stay in the table.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static int table[4];
static int *_Atomic limit = table;

static void *lower(void *unused) {
    limit = table + 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    int *far = table + 2;
    pthread_create(&thread, 0, lower, 0);
    assert(far - table == 2);
    assert(limit >= table);
    pthread_join(thread, 0);
    return 0;
}
