// expect: safe
// reason: `x` is changed by two threads, each of which holds its lock all the while, so nothing comes between reading
//   and writing it.
// size: small
// optimised: same
#define N 50
#include "p.h"
