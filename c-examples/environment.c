// expect: safe
// reason: The text is looked at only if the variable is there.
// size: large
// optimised: same
#include <assert.h>
#include <stdlib.h>

int main(void) {
    const char *level = getenv("LEVEL");
    int is_set = 0;
    if (level && level[0] == '3')
        is_set = 1;
    assert(!is_set || level[0] != 0);
    return 0;
}
