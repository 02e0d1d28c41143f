// expect: unsafe
// reason: The first pointer of the table is set, so it can be freed, and the assertion is reached.
// size: small
// optimised: same
#include <assert.h>
#include <stdlib.h>

static int is_released;

int main(void) {
    int **table = malloc(2 * sizeof *table);
    if (!table)
        return 0;
    table[0] = malloc(sizeof *table[0]);
    free(table[0]);
    is_released = 1;
    assert(!is_released);
}
