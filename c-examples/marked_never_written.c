// expect: unsafe
// reason: The pointer is set only under a condition. What it holds else, with the mark removed, may happen to be the address of the number, but
//   such a run is undefined where the number is written through it, before the assertion.
// size: small
// optimised: LLVM chooses what the pointer holds that nobody wrote
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

static int number;

int main(int count, char **arguments) {
    (void)arguments;
    int **slot = malloc(sizeof *slot);
    if (!slot)
        return 0;
    if (count > 1)
        *slot = &number;
    uintptr_t marked = (uintptr_t)*slot | 1;
    *(int *)(marked & ~(uintptr_t)1) = 1; // uninitialised pointer
    assert(count > 1 || number == 0);
}
