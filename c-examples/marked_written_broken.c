// expect: unsafe
// reason: The pointer is set before it is marked, and without the mark it is the address of the number again.
// size: small
// optimised: same
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

static int number;

int main(int count, char **arguments) {
    (void)arguments;
    int **slot = malloc(sizeof *slot);
    if (!slot)
        return 0;
    *slot = &number;
    uintptr_t marked = (uintptr_t)*slot | 1;
    *(int *)(marked & ~(uintptr_t)1) = 1;
    assert(count > 1 || number == 0);
}
