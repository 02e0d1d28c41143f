// expect: safe
// reason: A number that stands for an error has a text.
// size: small
// optimised: same
#include <assert.h>
#include <errno.h>
#include <string.h>

int main(void) {
    const char *refused = strerror(EPERM);
    assert(refused != NULL);
    return 0;
}
