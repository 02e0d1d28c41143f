// expect: safe
// reason: Where a text or a character is asked for first, only the end of the input keeps it from being stored.
// size: medium
// optimised: same
#include <assert.h>
#include <stdio.h>

int main(void) {
    char letter, word[3];
    int stored = scanf(" %c%2s", &letter, word);
    assert(stored == 1 || stored == 2 || stored == EOF);
    return 0;
}
