// expect: safe
// reason: The pointer has a tag, and the number 2 stands behind it. Bytes of both look like an address, which the program never reads as one.
// size: small
// optimised: same
#include <assert.h>
#include <stdint.h>

static int target = 7;
static struct node {
    int *place;
    int number;
} node = {0, 2};

int main(void) {
    node.place = (int *)((uintptr_t)&target | 1);
    int *untagged = (int *)((uintptr_t)node.place & ~(uintptr_t)1);
    assert(*untagged == 7);
    return node.number - 2;
}
