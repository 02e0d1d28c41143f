// expect: unsafe
// reason: A number that is too large is taken for the largest one.
// size: small
// optimised: same
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

static const char *const texts[] = {"12", "7x", "", "99999999999999999999"};
static int slots[16];

int main(void) {
    for (int i = 0; i < 4; i++) {
        char *end;
        errno = 0;
        long number = strtol(texts[i], &end, 10);
        if (end == texts[i] || *end != 0)
            continue;
        assert(number == 12);
        slots[number]++;
    }
    assert(slots[12] == 1);
    return 0;
}
