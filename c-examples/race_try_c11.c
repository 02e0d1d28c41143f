// expect: safe
// reason: A thread that does not get the mutex leaves the counter alone.
// options: --property no-data-race
// size: small
// optimised: same
#include <stddef.h>
#include <threads.h>

static mtx_t mutex;
static int hits;

static int hit(void *argument) {
    (void)argument;
    mtx_lock(&mutex);
    hits++;
    mtx_unlock(&mutex);
    return 0;
}

int main(void) {
    thrd_t thread;
    mtx_init(&mutex, mtx_plain);
    thrd_create(&thread, hit, NULL);
    if (mtx_trylock(&mutex) == thrd_success) {
        hits++;
        mtx_unlock(&mutex);
    }
    thrd_join(thread, NULL);
    mtx_destroy(&mutex);
    return hits;
}
