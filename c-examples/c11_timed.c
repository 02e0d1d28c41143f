// expect: safe
// reason: The thread counts only if it has got the mutex in time.
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
    int counted;
    mtx_init(&mutex, mtx_timed);
    thrd_create(&thread, count, 0);
    mtx_lock(&mutex);
    counter++;
    mtx_unlock(&mutex);
    thrd_join(thread, &counted);
    assert(counter == 1 + counted);
    return 0;
}
