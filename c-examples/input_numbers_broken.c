// expect: unsafe
// reason: If the input is no number, the variable keeps its first value.
// size: medium
// optimised: same
#include <assert.h>
#include <stdio.h>

int main(void) {
    int number = -1;
    scanf("%d", &number);
    if (number > 0)
        return 0;
    assert(number != -1);
    return 0;
}
