// expect: safe
// reason: The size of a page is positive, if the system knows it.
// size: small
// optimised: same
#include <assert.h>
#include <unistd.h>

int main(void) {
    long found = sysconf(_SC_PAGESIZE);
    assert(found == -1 || found > 1);
    return 0;
}
