// expect: safe
// reason: Looks at the arguments that there are, at most at 8.
// size: small
// optimised: same
#include <assert.h>
#include <stddef.h>

int main(int count, char **arguments) {
    for (int i = 0; i < count && i < 8; i++)
        assert(arguments[i] != NULL);
    return 0;
}
