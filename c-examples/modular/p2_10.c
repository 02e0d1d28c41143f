// expect: safe
// reason: `x` is changed by two threads, each of which holds its lock all the while, so nothing comes between reading
//   and writing it. That `y` is changed without its lock once does not matter to `x`.
// size: small
// optimised: same
#define N 10
#define RACE
#include "p.h"
