// expect: unsafe
// reason: That something has been pushed once does not say that the stack is not empty now.
// size: medium
// optimised: same
#define SIZE 5
#define CAN_POP has_pushed
#include "stack.h"
