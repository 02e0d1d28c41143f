// expect: unknown
// reason: What is printed goes to a buffer of the program.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static char buffer[BUFSIZ];

int main(void) {
    setbuf(stdout, buffer);
    puts("text");
    assert(buffer[0] == 0);
}
