// expect: safe
// reason: Every thread inserts a value of its own into an empty table; a failed compare-and-swap goes on to the next bucket, and a
//   written bucket stays, so all values are there afterwards.
// size: small
// optimised: same
#include "hash_table.h"

static void *work(void *number) {
    find_or_put(value((intptr_t)number));
    return 0;
}

int main(void) {
    run_threads(work);
    for (int i = 0; i < THREADS; i++)
        assert(contains(value(i)));
    return 0;
}
