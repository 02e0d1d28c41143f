// expect: unsafe
// reason: A thread that finds the flag set may find the table not prepared, because the other one is about to do it.
// size: medium
// optimised: same
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static atomic_flag flag = ATOMIC_FLAG_INIT;
static int table;

static int use(void *unused) {
    (void)unused;
    if (!atomic_flag_test_and_set(&flag))
        table = 42;
    assert(table == 42);
    return 0;
}

int main(void) {
    thrd_t thread;
    thrd_create(&thread, use, 0);
    use(0);
    thrd_join(thread, 0);
    return 0;
}
