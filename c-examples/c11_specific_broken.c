// expect: unsafe
// reason: The thread takes its value away before it ends, so the destructor does not run.
// size: medium
// optimised: same
#include <assert.h>
#include <threads.h>

static tss_t key;
static int object, destroyed;

static void destroy(void *value) {
    assert(value == &object);
    destroyed++;
}

static int start(void *unused) {
    (void)unused;
    tss_set(key, &object);
    tss_set(key, 0);
    return 0;
}

int main(void) {
    thrd_t thread;
    tss_create(&key, destroy);
    thrd_create(&thread, start, 0);
    thrd_join(thread, 0);
    assert(destroyed == 1);
    return 0;
}
