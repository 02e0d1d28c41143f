// expect: unsafe
// reason: Without arguments the thread returns a pointer that was never set. It may happen to be the address of the number, but such a run is
//   undefined where the number is written through it, before the assertion.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int number, argument_count;

static void *find(void *slot) {
    int **found = slot;
    if (argument_count > 1)
        *found = &number;
    return *found;
}

int main(int count, char **arguments) {
    (void)arguments;
    argument_count = count > 1 ? 2 : 1;
    int **slot = malloc(sizeof *slot);
    if (!slot)
        return 0;
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, find, slot);
    pthread_join(thread, &result);
    *(int *)result = 1; // uninitialised pointer
    assert(argument_count > 1 || number == 0);
}
