// expect: unsafe
// reason: The variable may be there, and have this value.
// size: large
// optimised: same
#include <assert.h>
#include <stdlib.h>

int main(void) {
    const char *level = getenv("LEVEL");
    int is_set = 0;
    if (level && level[0] == '3')
        is_set = 1;
    assert(!is_set);
    return 0;
}
