// expect: unsafe
// reason: There is no text behind a null pointer.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static const char *text;

int main(void) {
    puts(text); // null pointer
    assert(text == 0);
}
