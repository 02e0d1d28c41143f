// expect: unknown
// reason: No block has so many bytes, so what is printed has no meaning; it is no misuse of a lock.
// options: --property no-lock-misuse
// size: small
// optimised: same
#include <stdint.h>
#include <stdio.h>

int main(void) {
    char text[] = "text";
    volatile size_t size = SIZE_MAX;
    fwrite(text, size, 2, stdout);
    return 0;
}
