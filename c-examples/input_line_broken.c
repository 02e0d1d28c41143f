// expect: unsafe
// reason: The last line of a file may have no newline, and a line may be longer than the buffer.
// size: large
// optimised: same
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[4];
    if (!fgets(line, sizeof line, stdin))
        return 0;
    assert(strchr(line, '\n') || line[0] == 0);
    return 0;
}
