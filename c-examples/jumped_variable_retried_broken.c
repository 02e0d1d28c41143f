// expect: unsafe
// reason: The variable, whose declaration the switch jumps over, ends with the block of the switch; the label around it changes nothing.
// size: small
// optimised: clang marks no lifetime of such a variable, and no block is left of optimised code
#include <assert.h>

int main(void) {
    int *place = 0, tries = 0;
retry:
    switch (tries) {
        int count;
    case 0:
        count = 3;
        place = &count;
    }
    if (tries++ < 1)
        goto retry;
    assert(*place == 3); // use after scope
    return 0;
}
