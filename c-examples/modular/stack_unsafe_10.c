// expect: unsafe
// reason: That something has been pushed once does not say that the stack is not empty now.
// size: large
// optimised: same
#define SIZE 10
#define CAN_POP has_pushed
#include "stack.h"
