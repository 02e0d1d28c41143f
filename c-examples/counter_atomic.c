// expect: safe
// reason: fetch-and-add is one step, so no increment is lost and no two threads get the same old
//   value.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;
static int got[2];

static void *work(void *argument) {
    int *mine = argument;
    *mine = atomic_fetch_add(&counter, 1);
    atomic_fetch_add(&counter, 2);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, &got[0]);
    pthread_create(&b, 0, work, &got[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 6);
    assert(got[0] != got[1]);
    return 0;
}
