// expect: unsafe
// reason: There is a text for each error.
// size: small
// optimised: same
#include <assert.h>
#include <errno.h>
#include <string.h>

int main(void) {
    const char *refused = strerror(EPERM);
    assert(refused == NULL);
    return 0;
}
