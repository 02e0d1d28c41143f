// expect: unsafe
// reason: printf changes the variable whose address it gets for %n.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int count = 7;

int main(void) {
    printf("abc%n\n", &count);
    assert(count == 7);
}
