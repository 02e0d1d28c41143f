// expect: unknown
// reason: How often qsort compares is not said.
// size: small
// optimised: same
#include <assert.h>
#include <stdlib.h>

static int compared;

static int compare(const void *left, const void *right) {
    compared++;
    return *(const int *)left - *(const int *)right;
}

int main(void) {
    int numbers[3] = {3, 2, 1};
    qsort(numbers, 3, sizeof numbers[0], compare);
    assert(compared == 3);
    return 0;
}
