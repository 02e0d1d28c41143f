// expect: safe
// reason: The number is used only if it was read, and checked.
// size: medium
// optimised: same
#include <assert.h>
#include <stdio.h>

static int table[4];

int main(void) {
    int index;
    if (scanf("%d", &index) != 1 || index < 0 || index >= 4)
        return 0;
    table[index] = 1;
    assert(table[0] + table[1] + table[2] + table[3] == 1);
    return 0;
}
