// expect: safe
// reason: An address is stored at an odd place over another copy of it, and the low halves of both are those of one number.
// size: large
// optimised: same
#include <assert.h>
#include <stdint.h>

static int object;
static union {
    void *address;
    uint32_t halves[4];
    struct __attribute__((packed)) {
        uint32_t below;
        uint64_t number;
        uint32_t above;
    } shifted;
} words;

int main(void) {
    words.address = &object;
    words.shifted.number = (uintptr_t)&object;
    assert(words.halves[0] == words.halves[1]);
    return 0;
}
