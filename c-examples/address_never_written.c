// expect: unsafe
// reason: The second pointer of the table is never set. Fresh memory may happen to hold null or the address of the number, but such
//   a run is undefined where it frees that, before the assertion.
// size: small
// optimised: clang takes the undefined value that is freed for null
#include <assert.h>
#include <stdlib.h>

static int is_released;

int main(void) {
    int **table = malloc(2 * sizeof *table);
    if (!table)
        return 0;
    table[0] = malloc(sizeof *table[0]);
    free(table[1]); // uninitialised pointer
    is_released = 1;
    assert(!is_released);
}
