// expect: unsafe
// reason: The file may not be there.
// size: small
// optimised: same
#include <assert.h>
#include <fcntl.h>

int main(void) {
    int file = open("/dev/null", O_RDONLY);
    assert(file >= 0);
    return 0;
}
