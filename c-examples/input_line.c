// expect: safe
// reason: A line that is read ends within the buffer, and what cannot be read is not looked at.
// size: large
// optimised: same
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[4];
    if (!fgets(line, sizeof line, stdin))
        return 0;
    assert(strlen(line) < sizeof line);
    return 0;
}
