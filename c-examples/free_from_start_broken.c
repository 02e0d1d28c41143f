// expect: unsafe
// reason: The address was moved past the spaces in front before it is freed.
// options: --property valid-free
// size: small
// optimised: same
#include <stdlib.h>

extern char __VERIFIER_nondet_char(void);

int main(void) {
    char *line = malloc(3);
    line[0] = __VERIFIER_nondet_char();
    line[1] = 'x';
    line[2] = 0;
    while (*line == ' ')
        line++;
    free(line); // invalid free
    return 0;
}
