// expect: safe
// reason: The value that a thread has set is given to the destructor when the thread ends, and no other thread sees it.
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
    assert(tss_get(key) == 0);
    tss_set(key, &object);
    return 0;
}

int main(void) {
    thrd_t thread;
    tss_create(&key, destroy);
    thrd_create(&thread, start, 0);
    thrd_join(thread, 0);
    assert(destroyed == 1 && tss_get(key) == 0);
    tss_delete(key);
    return 0;
}
