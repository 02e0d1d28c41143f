// expect: safe
// reason: A number is popped only where there is one, which is looked at with the lock held, and no more are pushed
//   than there are places.
// size: medium
// optimised: same
#define SIZE 5
#define CAN_POP (top > 0)
#include "stack.h"
