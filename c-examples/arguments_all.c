// expect: unknown
// reason: Looks at all arguments, of which the first 8 are read.
// size: small
// optimised: same
#include <assert.h>
#include <stddef.h>

int main(int count, char **arguments) {
    for (int i = 0; i < count; i++)
        assert(arguments[i] != NULL);
    return 0;
}
