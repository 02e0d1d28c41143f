// expect: unsafe
// reason: The thread returns the address of the number in any case, so the number is written.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int number, argument_count;

static void *find(void *slot) {
    int **found = slot;
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
    *(int *)result = 1;
    assert(argument_count > 1 || number == 0);
}
