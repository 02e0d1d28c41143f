// expect: unsafe
// reason: The function changes its own copy of the structure that is passed.
// size: small
// optimised: same
#include <assert.h>
#include <stdarg.h>

struct row {
    long cells[4];
};

static void clear(int count, ...) {
    va_list rows;
    va_start(rows, count);
    for (int i = 0; i < count; i++) {
        volatile struct row row = va_arg(rows, struct row);
        row.cells[0] = 0;
    }
    va_end(rows);
}

int main(void) {
    struct row row = {{5, 6, 7, 8}};
    clear(1, row);
    assert(row.cells[0] == 0);
    return 0;
}
