// expect: safe
// reason: Binary search in a sorted array finds a value exactly if it is there.
// size: medium
// optimised: same
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static const int sorted[5] = {-7, 0, 3, 8, 100};

static int find(int value) {
    int low = 0, high = 5;
    while (low < high) {
        int middle = (low + high) / 2;
        if (sorted[middle] == value)
            return middle;
        if (sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

int main(void) {
    int value = __VERIFIER_nondet_int();
    int at = find(value);
    assert(at < 5);
    if (at >= 0)
        assert(sorted[at] == value);
    else
        assert(value != -7 && value != 0 && value != 3 && value != 8 && value != 100);
    return 0;
}
