// expect: safe
// reason: `call_once` returns when the routine has, whichever thread runs it.
// size: medium
// optimised: same
#include <assert.h>
#include <threads.h>

static once_flag flag = ONCE_FLAG_INIT;
static int table, runs;

static void prepare(void) {
    runs++;
    table = 42;
}

static int use(void *unused) {
    (void)unused;
    call_once(&flag, prepare);
    assert(table == 42);
    return 0;
}

int main(void) {
    thrd_t thread;
    thrd_create(&thread, use, 0);
    use(0);
    thrd_join(thread, 0);
    assert(runs == 1);
    return 0;
}
