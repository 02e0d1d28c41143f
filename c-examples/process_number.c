// expect: safe
// reason: A process keeps its number.
// size: small
// optimised: same
#include <assert.h>
#include <unistd.h>

int main(void) {
    assert(getpid() == getpid());
    return 0;
}
