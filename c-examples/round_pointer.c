// expect: safe
// reason: Each round uses pointers to its own variables only.
// size: small
// optimised: same
#include <assert.h>

struct pair {
    int number, *place;
};

int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        struct pair own = {i, 0};
        own.place = &own.number;
        *own.place += 1;
        sum += own.number;
    }
    assert(sum == 6);
    return 0;
}
