// expect: unsafe
// reason: The system need not have more than one processor.
// size: small
// optimised: same
#include <assert.h>
#include <unistd.h>

int main(void) {
    long found = sysconf(_SC_NPROCESSORS_ONLN);
    assert(found == -1 || found > 1);
    return 0;
}
