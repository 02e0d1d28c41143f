// expect: unsafe
// reason: The thread may wait until the limit is over while `main` holds the mutex, and then does not count.
// size: medium
// optimised: same
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex;
static int counter;

static int count(void *unused) {
    (void)unused;
    struct timespec limit;
    timespec_get(&limit, TIME_UTC);
    limit.tv_sec++;
    if (mtx_timedlock(&mutex, &limit) != thrd_success)
        return 0;
    counter++;
    mtx_unlock(&mutex);
    return 1;
}

int main(void) {
    thrd_t thread;
    mtx_init(&mutex, mtx_timed);
    thrd_create(&thread, count, 0);
    mtx_lock(&mutex);
    counter++;
    mtx_unlock(&mutex);
    thrd_join(thread, 0);
    assert(counter == 2);
    return 0;
}
