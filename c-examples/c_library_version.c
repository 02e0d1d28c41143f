// expect: safe
// reason: The version of glibc starts with 2 and does not change.
// size: small
// optimised: same
#include <assert.h>
#include <gnu/libc-version.h>
#include <stdlib.h>

int main(void) {
    const char *version = gnu_get_libc_version();
    assert(version[0] == '2' && version[1] == '.');
    assert(atoi(version + 2) > 0);
    return 0;
}
