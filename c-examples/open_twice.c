// expect: safe
// reason: A file that is open keeps its number, so that the next file has another one.
// size: medium
// optimised: same
#include <assert.h>
#include <fcntl.h>

int main(void) {
    int first = open("/dev/null", O_RDONLY);
    int second = open("/dev/null", O_RDONLY);
    assert(first < 0 || second < 0 || first != second);
    return 0;
}
