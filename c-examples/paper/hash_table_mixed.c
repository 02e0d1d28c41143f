// expect: safe
// reason: Threads with even numbers look for values that are in the table, and find them because written buckets stay; the others
//   insert new ones, for which there is room.
// size: small
// optimised: same
#include "hash_table.h"

enum { PRESENT = 4 };

static atomic_int table[SIZE] = {
    [0] = SIZE, [1] = 2 * SIZE, [SIZE / 2] = 3 * SIZE / 2, [SIZE / 2 + 1] = 5 * SIZE / 2};

static_assert(PRESENT + THREADS / 2 <= SIZE, "there is room for new values");

static void *work(void *argument) {
    int number = (intptr_t)argument;
    if (number % 2 == 0)
        assert(find_or_put(value(number / 2 % PRESENT)) == FOUND);
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
