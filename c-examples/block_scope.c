// expect: safe
// reason: The pointer points to a variable of the round, and is used within it.
// size: small
// optimised: same
#include <assert.h>

int main(void) {
    int *last = 0;
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int square = i * i;
        last = &square;
        sum += *last;
    }
    assert(sum == 5);
    return 0;
}
