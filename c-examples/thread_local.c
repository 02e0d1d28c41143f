// expect: safe
// reason: Every thread counts in its own copy of the thread-local variable, which starts at 0 in
//   each of them.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static _Thread_local int mine;

static void *work(void *unused) {
    for (int i = 0; i < 2; i++)
        mine++;
    assert(mine == 2);
    return unused;
}

int main(void) {
    mine = 10;
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(mine == 10);
    return 0;
}
