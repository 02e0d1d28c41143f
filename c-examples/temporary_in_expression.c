// expect: safe
// reason: Each structure that an expression gives is used in that expression only, whichever way the address reaches its use.
// size: small
// optimised: same
#include <assert.h>

struct pair {
    long of[2];
};

struct counts {
    long of[4];
};

static struct pair pair(long count) {
    return (struct pair){{count, count + 1}};
}

static struct counts start(long count) {
    return (struct counts){{count, count + 1}};
}

static long run(long *count) {
    return ++*count;
}

static long *same(long *count) {
    return count;
}

int main(void) {
    struct counts kept;
    assert(run(start(1).of) == 2 && run(pair(2).of + 1) == 4);
    for (long round = 0; run(round ? pair(round).of : start(round).of) < 3; round++) {
        assert(*same(start(round).of) == round);
    }
    assert(run((kept = start(5)).of) == 6);
    assert(kept.of[0] == 5);
    return 0;
}
