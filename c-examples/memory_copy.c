// expect: safe
// reason: A structure that is copied by assignment and by memcpy arrives complete, and memset
//   clears it.
// size: small
// optimised: same
#include <assert.h>
#include <string.h>

struct message {
    int kind;
    unsigned char payload[6];
};

int main(void) {
    struct message first = {3, {1, 2, 3, 4, 5, 6}};
    struct message second = first;
    struct message third;
    second.payload[5] = 9;
    memcpy(&third, &second, sizeof third);
    assert(third.kind == 3 && third.payload[0] == 1 && third.payload[5] == 9);
    assert(memcmp(third.payload, first.payload, 5) == 0);
    memset(third.payload, 0, sizeof third.payload);
    assert(third.payload[0] == 0 && third.payload[5] == 0 && third.kind == 3);
    return 0;
}
