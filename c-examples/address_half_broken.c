// expect: unknown
// reason: The low half of a pointer to a heap object is taken for its number; two objects may have the same.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static unsigned numbers[2];

static void *allocate(void *argument) {
    int *object = malloc(sizeof *object);
    int *volatile place = object;
    unsigned *number = argument;
    *number = *(unsigned *)&place;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, allocate, &numbers[0]);
    pthread_create(&b, 0, allocate, &numbers[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(numbers[0] != numbers[1]);
    return 0;
}
