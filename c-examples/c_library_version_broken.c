// expect: unsafe
// reason: Whether glibc is older than 2.21 is up to the machine.
// size: small
// optimised: same
#include <assert.h>
#include <gnu/libc-version.h>
#include <stdlib.h>

int main(void) {
    const char *version = gnu_get_libc_version();
    assert(version[0] == '2' && version[1] == '.');
    assert(atoi(version + 2) >= 21);
    return 0;
}
