// expect: safe
// reason: A read gives at most as many bytes as were asked for, or fails.
// size: small
// optimised: same
#include <assert.h>
#include <unistd.h>

int main(void) {
    char block[4];
    ssize_t count = read(0, block, sizeof block);
    assert(count >= -1 && count <= 4);
    return 0;
}
