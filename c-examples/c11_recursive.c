// expect: safe
// reason: The thread that holds a recursive mutex may lock it again, and holds it until it has unlocked it as often.
// size: medium
// optimised: same
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static int inside;

static void enter(int depth) {
    mtx_lock(&mutex);
    if (depth > 0) {
        enter(depth - 1);
    } else {
        inside++;
        assert(inside == 1);
        inside--;
    }
    mtx_unlock(&mutex);
}

static int start(void *unused) {
    (void)unused;
    enter(1);
    return 0;
}

int main(void) {
    thrd_t thread;
    mtx_init(&mutex, mtx_plain | mtx_recursive);
    thrd_create(&thread, start, 0);
    enter(1);
    thrd_join(thread, 0);
    return 0;
}
