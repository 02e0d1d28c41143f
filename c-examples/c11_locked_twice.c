// expect: unknown
// reason: To lock a mutex that is not recursive twice has no meaning in C, where POSIX says that the thread waits for ever.
// size: small
// optimised: same
#include <threads.h>

static mtx_t mutex;

int main(void) {
    mtx_init(&mutex, mtx_plain);
    mtx_lock(&mutex);
    mtx_lock(&mutex);
    return 0;
}
