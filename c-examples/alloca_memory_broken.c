// expect: unsafe
// reason: Memory from `alloca` ends with the function that has taken it, which returns its address.
// size: small
// optimised: LLVM drops the write to memory that ends, and takes what is read from there for any value
#include <alloca.h>
#include <assert.h>

static int *row(int length) {
    int *row = alloca(length * sizeof *row);
    row[0] = 1;
    return row;
}

int main(void) {
    int *p = row(2);
    assert(*p == 1); // use after scope
    return 0;
}
