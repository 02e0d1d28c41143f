// expect: unknown
// reason: The comparison reads the array through another pointer; what is there while it is sorted is not said.
// size: small
// optimised: same
#include <assert.h>
#include <stdlib.h>

static int *all;

static int compare(const void *left, const void *right) {
    int first = all[0];
    return (*(const int *)left - *(const int *)right) * (first == 9 ? 1 : -1);
}

int main(void) {
    int numbers[3] = {9, 5, 1};
    all = numbers;
    qsort(numbers, 3, sizeof numbers[0], compare);
    assert(numbers[0] != 5);
    return 0;
}
