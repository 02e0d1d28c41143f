// expect: unsafe
// reason: The memory is too small for the registers that setjmp keeps, although nothing ever jumps there.
// size: small
// optimised: same
#include <setjmp.h>
#include <stdlib.h>

int main(void) {
    void *place = malloc(8);
    if (!place)
        return 0;
    if (setjmp(*(jmp_buf *)place) == 0) // out of bounds
        free(place);
    return 0;
}
