// expect: safe
// reason: %n stores how many bytes were printed before it, in as many bytes as the length modifier
//   says.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int count;
static short halves[2] = {1, 2};

int main(void) {
    printf("abc%n\n", &count);
    assert(count == 3);
    printf("100%%%hn\n", &halves[0]);
    assert(halves[0] == 4 && halves[1] == 2);
}
