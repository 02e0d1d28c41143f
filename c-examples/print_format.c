// expect: unknown
// reason: The format is computed, so printing may store to memory.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static char format[8];
static int count = 7;

int main(void) {
    format[0] = '%';
    format[1] = 'n';
    printf(format, &count);
    assert(count == 7);
}
