// expect: unknown
// reason: A new object need not lie where the freed one lay, so it may belong to another bucket.
// size: small
// optimised: same
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

static unsigned bucket(const int *object) {
    return ((uintptr_t)object >> 4 ^ (uintptr_t)object >> 9) & 1;
}

int main(void) {
    int *old = malloc(sizeof *old);
    unsigned before = bucket(old);
    free(old);
    int *new = malloc(sizeof *new);
    assert(bucket(new) == before);
    free(new);
    return 0;
}
