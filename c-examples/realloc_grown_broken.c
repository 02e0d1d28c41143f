// expect: unsafe
// reason: Nothing is known of the bytes by which the object has grown.
// size: medium
// optimised: same
#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *items = malloc(sizeof *items);
    items[0] = 1;
    items = realloc(items, 2 * sizeof *items);
    assert(items[0] == 1);
    assert(items[1] == 0);
    free(items);
    return 0;
}
