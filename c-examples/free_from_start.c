// expect: safe
// reason: What was allocated is freed by the address that `malloc` gave.
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
    char *text = line;
    while (*text == ' ')
        text++;
    free(line);
    return 0;
}
