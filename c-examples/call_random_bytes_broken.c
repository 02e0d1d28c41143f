// expect: unsafe
// reason: The bytes are arbitrary.
// size: small
// optimised: same
#include <assert.h>
#include <sys/random.h>

int main(void) {
    unsigned char bytes[2] = {0, 0};
    ssize_t count = getrandom(bytes, sizeof bytes, 0);
    assert(count < 1 || bytes[0] != 7);
    return 0;
}
