// expect: unknown
// reason: Only the thread that holds a mutex may unlock it.
// size: small
// optimised: same
#include <threads.h>

static mtx_t mutex;

static int unlock(void *unused) {
    (void)unused;
    mtx_unlock(&mutex);
    return 0;
}

int main(void) {
    thrd_t thread;
    mtx_init(&mutex, mtx_plain);
    mtx_lock(&mutex);
    thrd_create(&thread, unlock, 0);
    thrd_join(thread, 0);
    return 0;
}
