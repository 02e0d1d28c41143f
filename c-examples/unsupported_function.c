// expect: unknown
// reason: The called function is neither defined here nor known, so it may do anything. It
//   compiles, but does not link.
// size: small
// optimised: same
#include <assert.h>

extern int measure_temperature(void);

int main(void) {
    int value = measure_temperature();
    assert(value < 1000);
    return 0;
}
