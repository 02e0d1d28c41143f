// expect: safe
// reason: Arguments of all sizes are found where they were passed: structures in registers and in memory, pointers, and wide numbers behind an odd place.
// size: small
// optimised: same
#include <assert.h>
#include <stdarg.h>

struct pair {
    long left;
    long right;
};

struct row {
    long cells[4];
};

static void *last(const char *kinds, ...) {
    static __int128 wide;
    static struct pair pair;
    static struct row row;
    static long number;
    void *found = 0;
    va_list list;
    va_start(list, kinds);
    for (; *kinds; kinds++) {
        switch (*kinds) {
        case 'w':
            wide = va_arg(list, __int128);
            found = &wide;
            break;
        case 'p':
            pair = va_arg(list, struct pair);
            found = &pair;
            break;
        case 'r':
            row = va_arg(list, struct row);
            found = &row;
            break;
        case 'n':
            number = va_arg(list, long);
            found = &number;
            break;
        default:
            found = va_arg(list, void *);
        }
    }
    va_end(list);
    return found;
}

int main(void) {
    int place = 7;
    struct pair pair = {3, 4};
    struct row row = {{5, 6, 7, 8}};
    assert(*(__int128 *)last("nw", 1l, (__int128)1 << 100) == (__int128)1 << 100);
    assert(((struct pair *)last("npp", 1l, pair, pair))->right == 4);
    assert(((struct row *)last("nnrpr", 1l, 2l, row, pair, row))->cells[3] == 8);
    assert(last("rpnx", row, pair, 9l, &place) == &place);
    row.cells[0] = 1;
    assert(*(long *)last("rn", row, 2l) == 2);
    return 0;
}
