// expect: unknown
// reason: A text of the environment may be longer than the buffer. Of each, the first 16 bytes are read.
// size: small
// optimised: LLVM leaves out a buffer that nobody reads
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char buffer[20];
    const char *text = getenv("HOME");
    if (!text)
        return 1;
    sprintf(buffer, "%s", text);
    return 0;
}
