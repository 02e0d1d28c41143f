// expect: unknown
// reason: The variable may lie right behind the table, and then its address is the one that is expected. That differs from machine to machine.
// size: small
// optimised: same
#include <assert.h>
#include <stdatomic.h>

static int table[2], variable;
static int *_Atomic place = &variable;

int main(void) {
    volatile int length = 2;
    int *expected = table + length;
    _Bool is_exchanged = atomic_compare_exchange_strong(&place, &expected, table);
    assert(!is_exchanged);
    return 0;
}
