// expect: safe
// reason: No more bytes come than were asked for.
// size: small
// optimised: same
#include <assert.h>
#include <sys/random.h>

int main(void) {
    unsigned char bytes[2] = {0, 0};
    ssize_t count = getrandom(bytes, sizeof bytes, 0);
    assert(count <= 2);
    return 0;
}
