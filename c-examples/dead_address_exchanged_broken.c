// expect: unknown
// reason: The address of a variable stays in memory when its function has returned: whether another variable has the same one, and the
//   exchange succeeds, is open.
// size: small
// optimised: same
#include <assert.h>
#include <stdatomic.h>

static int *_Atomic last;

static void enter(void) {
    int own = 1;
    atomic_store(&last, &own);
}

int main(void) {
    enter();
    int mine = 2;
    int *expected = &mine;
    assert(!atomic_compare_exchange_strong(&last, &expected, 0));
    return 0;
}
