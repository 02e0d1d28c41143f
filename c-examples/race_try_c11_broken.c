// expect: unsafe
// reason: In C the try may fail though the mutex is free, so that it fails says nothing of the other thread.
// options: --property no-data-race
// size: small
// optimised: same
#include <stddef.h>
#include <threads.h>

static mtx_t mutex;
static int hits;

static int hit(void *argument) {
    (void)argument;
    hits++; // data race
    mtx_lock(&mutex);
    mtx_unlock(&mutex);
    return 0;
}

int main(void) {
    thrd_t thread;
    mtx_init(&mutex, mtx_plain);
    thrd_create(&thread, hit, NULL);
    if (mtx_trylock(&mutex) == thrd_success)
        mtx_unlock(&mutex);
    else
        hits++;
    thrd_join(thread, NULL);
    mtx_destroy(&mutex);
    return hits;
}
