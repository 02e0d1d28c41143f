// expect: unknown
// reason: A mutex of C11 has no static initialiser: without `mtx_init` its use has no meaning.
// size: small
// optimised: same
#include <threads.h>

static mtx_t mutex;

int main(void) {
    mtx_lock(&mutex);
    mtx_unlock(&mutex);
    return 0;
}
