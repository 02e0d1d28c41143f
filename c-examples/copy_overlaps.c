// expect: safe
// reason: The places that the structure is copied between are one, or lie side by side.
// size: small
// optimised: same
#include <assert.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct pair {
    int first;
    int second;
};

static int numbers[4] = {1, 2, 3, 4};

static void copy(int *to, const int *from) {
    *(struct pair *)to = *(const struct pair *)from;
}

int main(void) {
    int distance = __VERIFIER_nondet_int() ? 2 : 0;
    copy(numbers + distance, numbers);
    assert(numbers[distance] == 1);
}
