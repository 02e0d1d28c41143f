// expect: safe
// reason: The function runs once, whoever comes first.
// size: small
// optimised: same
#include <assert.h>
#include <threads.h>

once_flag first = ONCE_FLAG_INIT, second = ONCE_FLAG_INIT;
static int runs;

static void run(void) {
    runs++;
}

int main(void) {
    call_once(&first, run);
    call_once(&first, run);
    assert(runs == 1);
    return 0;
}
