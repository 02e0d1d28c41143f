// expect: safe
// reason: The table is full, and every thread looks for a value that is there: nothing is written, so every thread finds its own.
// size: small
// optimised: same
#include "hash_table.h"

static_assert(SIZE == 8, "the table is full");

static atomic_int table[SIZE] = {8, 16, 24, 32, 12, 20, 28, 36};

static void *work(void *number) {
    assert(find_or_put(value((intptr_t)number)) == FOUND);
    return 0;
}

int main(void) {
    run_threads(work);
    return 0;
}
