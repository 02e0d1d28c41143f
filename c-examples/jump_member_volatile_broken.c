// expect: unknown
// reason: One member of the structure is volatile; the other one was written since, and has no certain value.
// size: small
// optimised: differs: clang keeps the member in a register
#include <assert.h>
#include <setjmp.h>

static jmp_buf place;

struct pair {
    volatile int certain;
    int uncertain;
};

static void write(struct pair *pair) {
    pair->uncertain = 1;
}

static int read(struct pair *pair) {
    return pair->uncertain;
}

int main(void) {
    struct pair pair = {0, 0};
    pair.certain = 1;
    if (setjmp(place) != 0) {
        assert(read(&pair) == 1);
        return 0;
    }
    write(&pair);
    longjmp(place, 1);
}
