// expect: unsafe
// reason: `mtx_trylock` may fail though the mutex is free.
// size: small
// optimised: same
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static int done;

int main(void) {
    mtx_init(&mutex, mtx_plain);
    if (mtx_trylock(&mutex) == thrd_success) {
        done = 1;
        mtx_unlock(&mutex);
    }
    assert(done);
    return 0;
}
