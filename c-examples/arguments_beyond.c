// expect: unknown
// reason: Only a few bytes of each argument are modelled, and nothing says that the argument ends among them.
// size: large
// optimised: same
#include <assert.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc == 2)
        assert(strlen(argv[1]) < 100);
    return 0;
}
