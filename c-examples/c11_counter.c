// expect: safe
// reason: Both threads increment the counter while they hold the mutex, and each ends with what it read there.
// size: medium
// optimised: same
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static int counter;

static int increment(void *unused) {
    (void)unused;
    mtx_lock(&mutex);
    int before = counter;
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
