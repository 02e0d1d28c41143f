// expect: safe
// reason: Memory from `alloca` outlives its block, and is used while its function runs.
// size: small
// optimised: same
#include <alloca.h>
#include <assert.h>

static int sum(int length) {
    int *row = 0;
    if (length > 1) {
        row = alloca(length * sizeof *row);
        row[0] = 1;
        row[1] = 2;
    }
    return row ? row[0] + row[1] : 3;
}

int main(void) {
    for (int length = 0; length < 4; length++)
        assert(sum(length) == 3);
    return 0;
}
