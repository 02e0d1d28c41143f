// expect: safe
// reason: Whichever counter an input gives to whom, each worker has one for itself and counts it up to the limit.
// size: medium
// optimised: same
#ifndef LIMIT
#define LIMIT 1024
#endif

enum { limit = LIMIT };

#include "load_balancing.h"

int main(void) {
    assert(count_all() == THREADS * LIMIT);
    return 0;
}
