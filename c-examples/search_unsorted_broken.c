// expect: unknown
// reason: The array is not sorted, so it is not said whether the element is found.
// size: small
// optimised: differs: clang takes the loop of the C library instead of the call
#include <assert.h>
#include <stdlib.h>

static int compare(const void *left, const void *right) {
    return *(const int *)left - *(const int *)right;
}

int main(void) {
    int numbers[3] = {5, 1, 9}, key = 1;
    assert(bsearch(&key, numbers, 3, sizeof numbers[0], compare) == 0);
    return 0;
}
