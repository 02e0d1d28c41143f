// expect: unknown
// reason: A number is printed as if it pointed to text.
// size: small
// optimised: same
#include <stdio.h>

#pragma clang diagnostic ignored "-Wformat"

int main(void) {
    printf("%s\n", 1);
    return 0;
}
