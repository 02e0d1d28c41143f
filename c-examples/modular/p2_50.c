// expect: safe
// reason: `x` is changed by two threads, each of which holds its lock all the while, so nothing comes between reading
//   and writing it. That `y` is changed without its lock once does not matter to `x`.
// size: medium
// optimised: same
#define N 50
#define RACE
#include "p.h"
