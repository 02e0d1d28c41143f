// expect: safe
// reason: Literals in the condition of a loop, and in what is evaluated after each round, last as long as the loop; those in its body are used there.
// size: small
// optimised: same
#include <assert.h>

static int run(int *count) {
    return ++*count;
}

int main(void) {
    int round = 0, *last = 0;
    for (; round < 2; round++)
        assert(run(&(int){round}) == round + 1);
    for (int *count = &(int){0}; *count < 2; count = &(int){*count})
        run(count);
    do
        assert(!last || run(last) == 8);
    while (last = &(int){7}, round++ < 3);
    while (last = &(int){round}, round++ < 6)
        assert(run(last) == round);
    return 0;
}
