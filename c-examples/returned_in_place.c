// expect: safe
// reason: A function returns a structure and writes to the variable that its caller initialises with it: the result comes later.
// size: small
// optimised: no
#include <assert.h>

struct state {
    int version, entries[7];
};

static struct state next(struct state *last) {
    struct state made;
    made.version = 1;
    last->version = 2;
    for (int i = 0; i < 7; i++)
        made.entries[i] = i;
    return made;
}

int main(void) {
    struct state state = next(&state);
    assert(state.version == 1 && state.entries[6] == 6);
    return 0;
}
