// expect: safe
// reason: Threads with even numbers look for values that are in the table, and find them because written buckets stay; the others
//   insert new ones, for which there is room.
// size: small
// optimised: same
#include "hash_table.h"

static atomic_int table[SIZE] = {8, 16, EMPTY, EMPTY, 12, 20, EMPTY, EMPTY};

enum { PRESENT = 4 };

static void *work(void *argument) {
    int number = (intptr_t)argument;
    if (number % 2 == 0)
        assert(find_or_put(value(number / 2)) == FOUND);
    else
        assert(find_or_put(value(PRESENT + number / 2)) == INSERTED);
    return 0;
}

int main(void) {
    run_threads(work);
    for (int i = 0; i < THREADS / 2; i++)
        assert(contains(value(PRESENT + i)));
    return 0;
}
