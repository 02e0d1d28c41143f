// expect: safe
// reason: `mtx_trylock` may fail though the mutex is free, and the thread then does without.
// size: small
// optimised: same
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static int done;

int main(void) {
    mtx_init(&mutex, mtx_plain);
    int result = mtx_trylock(&mutex);
    if (result == thrd_success) {
        done = 1;
        mtx_unlock(&mutex);
    }
    assert(done || result == thrd_busy);
    return 0;
}
