// expect: unsafe
// reason: The counter is read before the mutex is locked, so both threads may read 0.
// size: medium
// optimised: same
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static int counter;

static int increment(void *unused) {
    (void)unused;
    int before = counter;
    mtx_lock(&mutex);
    counter = before + 1;
    mtx_unlock(&mutex);
    return before;
}

int main(void) {
    thrd_t first, second;
    int one, other;
    mtx_init(&mutex, mtx_plain);
    thrd_create(&first, increment, 0);
    thrd_create(&second, increment, 0);
    thrd_join(first, &one);
    thrd_join(second, &other);
    mtx_destroy(&mutex);
    assert(counter == 2 && one + other == 1);
    return 0;
}
