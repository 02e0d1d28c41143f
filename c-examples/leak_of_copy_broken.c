// expect: unsafe
// reason: The copy of the text is not freed.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *copy = strdup("ab");
    int first = copy[0];
    copy = NULL;
    return first == 'b'; // memory leak
}
